import { destroy, get, patch, post, query } from '../paths.ts'

export const singleSignOnPaths = {
  singleSignOnByEmail: (invitation = '', returnTo = '') =>
    get(`/sign_in/sso${query({ invitation, return_to: returnTo })}`),
  findSingleSignOn: () => post('/sign_in/sso'),
  singleSignOn: (slug: string) => get(`/sign_in/sso/${slug}`),
  startSingleSignOn: (slug: string) => post(`/sign_in/sso/${slug}`),
  singleSignOnCallback: (slug: string) => get(`/sign_in/sso/${slug}/callback`),
  disconnectSsoIdentity: (id: number) => destroy(`/settings/sso/${id}`),
  accountSingleSignOn: (slug: string) => get(`/${slug}/sso`),
  /** Leads back to a page that says that it works. */
  trySingleSignOn: (slug: string) => get(`/sign_in/sso/${slug}${query({ return_to: `/${slug}/sso/tried` })}`),
  saveSingleSignOn: (slug: string) => patch(`/${slug}/sso`),
  removeSingleSignOn: (slug: string) => destroy(`/${slug}/sso`),
  dismissSsoFailure: (slug: string) => destroy(`/${slug}/sso/failure`),
  requireSingleSignOn: (slug: string) => patch(`/${slug}/sso/requirement`),
  addDomain: (slug: string) => post(`/${slug}/sso/domains`),
  verifyDomain: (slug: string, id: number) => post(`/${slug}/sso/domains/${id}/verification`),
  lookAtDomains: (slug: string) => post(`/${slug}/sso/domains/looks`),
  removeDomain: (slug: string, id: number) => destroy(`/${slug}/sso/domains/${id}`),
}
