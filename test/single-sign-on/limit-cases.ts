import { type Cases, guest, json, person } from '../helpers/limits.ts'

export const cases: Cases = {
  sso_search: guest('POST', '/sign_in/sso', { email: 'nobody@example.com' }),
  sso_start: guest('POST', '/sign_in/sso/acme', {}, json),
  sso_save: person('PATCH', '/:slug/sso', {}),
  domain_watch: person('POST', '/:slug/sso/domains/looks'),
  domain_look: person('POST', '/:slug/sso/domains/1/verification'),
}
