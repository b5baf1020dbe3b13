import { destroy, get, post } from '../paths.ts'

export const workspaceTokenPaths = {
  workspaceTokens: (slug: string) => get(`/${slug}/tokens`),
  createWorkspaceToken: (slug: string) => post(`/${slug}/tokens`),
  rollWorkspaceToken: (slug: string, id: number) => post(`/${slug}/tokens/${id}/roll`),
  revokeWorkspaceToken: (slug: string, id: number) => destroy(`/${slug}/tokens/${id}`),
}
