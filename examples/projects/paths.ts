import { destroy, get, patch, post, query } from '../../features/paths.ts'

/** The list shows all projects, or those of one currency. */
type ProjectFilters = { currency?: string }

export const projectPaths = {
  projects: (slug: string, filters: ProjectFilters = {}) => get(`/${slug}/projects${query(filters)}`),
  projectsFile: (slug: string) => get(`/${slug}/projects.csv`),
  newProject: (slug: string) => get(`/${slug}/projects/new`),
  createProject: (slug: string) => post(`/${slug}/projects`),
  editProject: (slug: string, projectId: number) => get(`/${slug}/projects/${projectId}/edit`),
  updateProject: (slug: string, projectId: number) => patch(`/${slug}/projects/${projectId}`),
  deleteProject: (slug: string, projectId: number) => destroy(`/${slug}/projects/${projectId}`),
  projectPreferences: () => get('/settings/projects'),
  changeProjectPreferences: () => patch('/settings/projects'),
}
