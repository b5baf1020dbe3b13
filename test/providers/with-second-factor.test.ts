import t from 'tap'
import { identities } from '../../drizzle/tables/providers.ts'
import { startApp } from '../helpers/app.ts'
import { suspended, suspendUser } from '../helpers/endings.ts'
import { startIssuer } from '../helpers/issuer.ts'
import { openGuest } from '../helpers/people.ts'
import { environmentOf } from '../helpers/providers.ts'
import { withSecondFactor } from '../helpers/second-factor.ts'

t.test('who is suspended learns it after the second step of a provider', async (t) => {
  const issuer = await startIssuer(t)
  const { app, clock, db } = await startApp(t, environmentOf(issuer.url))
  const someone = await withSecondFactor({ app, clock })
  const values = { userId: someone.user.id, provider: 'oidc', issuer: issuer.url, subject: 'two' }
  await db.insert(identities).values(values)
  await suspendUser(app, someone.user.id)
  const browser = await openGuest(app)
  const { page } = await issuer.visit(browser, { sub: 'two' })
  t.equal(page.component, 'auth/second-factor', 'only after the second step')
  t.match(await browser.submit('POST', '/sign_in/verify', { code: await someone.code() }), suspended)
})
