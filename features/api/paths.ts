import { destroy, get, post } from '../paths.ts'

export const apiPaths = {
  tokens: () => get('/settings/tokens'),
  createToken: () => post('/settings/tokens'),
  rollToken: (id: number) => post(`/settings/tokens/${id}/roll`),
  revokeToken: (id: number) => destroy(`/settings/tokens/${id}`),
}
