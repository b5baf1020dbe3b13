import { destroy, get, patch, post } from '../../features/paths.ts'

export const projectPaths = {
  projects: (slug: string) => get(`/${slug}/projects`),
  projectsFile: (slug: string) => get(`/${slug}/projects.csv`),
  newProject: (slug: string) => get(`/${slug}/projects/new`),
  createProject: (slug: string) => post(`/${slug}/projects`),
  editProject: (slug: string, projectId: number) => get(`/${slug}/projects/${projectId}/edit`),
  updateProject: (slug: string, projectId: number) => patch(`/${slug}/projects/${projectId}`),
  deleteProject: (slug: string, projectId: number) => destroy(`/${slug}/projects/${projectId}`),
}
