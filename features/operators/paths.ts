import { destroy, get, post, put, query } from '../paths.ts'

/** The pages of operators, and what they may do there. */
export const operatorPaths = {
  home: () => get('/admin'),
  users: (q = '') => get(`/admin/users${query({ q })}`),
  user: (id: number) => get(`/admin/users/${id}`),
  sendResetLink: (id: number) => post(`/admin/users/${id}/reset_link`),
  sendVerification: (id: number) => post(`/admin/users/${id}/verification`),
  liftPause: (id: number) => destroy(`/admin/users/${id}/pause`),
  endSessions: (id: number) => post(`/admin/users/${id}/sign_out`),
  removeSecondFactor: (id: number) => destroy(`/admin/users/${id}/second_factor`),
  suspend: (id: number) => put(`/admin/users/${id}/suspension`),
  unsuspend: (id: number) => destroy(`/admin/users/${id}/suspension`),
  deleteUser: (id: number) => destroy(`/admin/users/${id}`),
  accounts: (q = '') => get(`/admin/accounts${query({ q })}`),
  account: (id: number) => get(`/admin/accounts/${id}`),
  makeOwner: (id: number) => put(`/admin/accounts/${id}/owner`),
  log: () => get('/admin/log'),
}
