import { identities } from '../../drizzle/tables/providers.ts'
import { type Cases, guest, isRefused, person, precognitive, wrong } from '../helpers/limits.ts'
import { signedUp } from '../helpers/people.ts'

export const cases: Cases = {
  provider_start: guest('POST', '/sign_in/with/oidc'),
  provider_sign_up: guest('POST', '/sign_up/with/oidc'),
  provider_sign_up_check: guest('POST', '/sign_up/with/oidc', { name: '' }, precognitive),
  identity_connection: person('POST', '/settings/identities/oidc', wrong),
  async identity_removal(app) {
    const { browser, user } = await signedUp(app)
    const subject = `limits-${user.id}`
    const values = { userId: user.id, provider: 'oidc', issuer: 'https://login.example.com', subject }
    const [identity] = await app.db.insert(identities).values(values).returning()
    return () => isRefused(browser, 'DELETE', `/settings/identities/${identity?.id}`, wrong)
  },
}
