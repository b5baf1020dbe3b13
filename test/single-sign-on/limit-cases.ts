import { Browser } from '../helpers/browser.ts'
import { anotherClient, type Cases, guest, isRefused, json, person, wrong } from '../helpers/limits.ts'
import { challenge, verifiedUp } from '../helpers/people.ts'

export const cases: Cases = {
  sso_search: guest('POST', '/sign_in/sso', { email: 'nobody@example.com' }),
  sso_start: guest('POST', '/sign_in/sso/acme', {}, json),
  sso_save: person('PATCH', '/:slug/sso', {}),
  sso_removal: person('DELETE', '/settings/sso/1', wrong),
  sso_setup: guest('PATCH', '/invitations/sso/unknown'),
  async sso_setup_change(app) {
    const { browser, slug } = await verifiedUp(app)
    const { flash } = await browser.submit('POST', `/${slug}/sso/setup_link`, challenge)
    const { pathname } = new URL(flash?.sso_setup_link ?? '')
    const colleague = await Browser.open(app)
    return () => isRefused(colleague, 'POST', `${pathname}/domains/looks`, {}, anotherClient())
  },
  domain_watch: person('POST', '/:slug/sso/domains/looks'),
  domain_look: person('POST', '/:slug/sso/domains/1/verification'),
}
