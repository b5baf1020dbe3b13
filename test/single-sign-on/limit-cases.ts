import { type Cases, guest, json, person, wrong } from '../helpers/limits.ts'

export const cases: Cases = {
  sso_search: guest('POST', '/sign_in/sso', { email: 'nobody@example.com' }),
  sso_start: guest('POST', '/sign_in/sso/acme', {}, json),
  sso_save: person('PATCH', '/:slug/sso', {}),
  sso_removal: person('DELETE', '/settings/sso/1', wrong),
  domain_watch: person('POST', '/:slug/sso/domains/looks'),
  domain_look: person('POST', '/:slug/sso/domains/1/verification'),
}
