import { destroy, get, patch, post } from '../../paths.ts'

/**
 * Apart from the others, since only pages that few open need them. The link lies below `invitations`, whose paths no
 * log shows whole.
 */
export const setupPaths = {
  setup: (token: string) => get(`/invitations/sso/${token}`),
  saveBySetup: (token: string) => patch(`/invitations/sso/${token}`),
  addDomainBySetup: (token: string) => post(`/invitations/sso/${token}/domains`),
  lookBySetup: (token: string) => post(`/invitations/sso/${token}/domains/looks`),
  verifyBySetup: (token: string, id: number) => post(`/invitations/sso/${token}/domains/${id}/verification`),
  makeSetupLink: (slug: string) => post(`/${slug}/sso/setup_link`),
  withdrawSetupLink: (slug: string) => destroy(`/${slug}/sso/setup_link`),
}
