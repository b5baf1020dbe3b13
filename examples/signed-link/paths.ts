import { get, post, query } from '../../features/paths.ts'

export const linkPaths = {
  requestLink: () => post('/sign_in/link'),
  openLink: (sid = '', invitation = '', returnTo = '') =>
    get(`/sign_in/link${query({ sid, invitation, return_to: returnTo })}`),
  useLink: () => post('/sign_in/link/use'),
}
