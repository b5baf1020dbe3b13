import t from 'tap'
import { identities } from '../../drizzle/tables/providers.ts'
import { startApp } from '../helpers/app.ts'
import { suspended, suspendUser } from '../helpers/endings.ts'
import { startIssuer } from '../helpers/issuer.ts'
import { openGuest, signedUp, verifiedUp } from '../helpers/people.ts'
import { environmentOf } from '../helpers/providers.ts'

const issuer = await startIssuer(t)
const { app, db } = await startApp(t, environmentOf(issuer.url))

t.test('nobody who is suspended signs in with a provider, and nobody takes the address through one', async (t) => {
  const { user } = await verifiedUp(app)
  await db.insert(identities).values({ userId: user.id, provider: 'oidc', issuer: issuer.url, subject: 'one' })
  await suspendUser(app, user.id)
  t.match((await issuer.visit(await openGuest(app), { sub: 'one' })).page, suspended)

  const squatter = await signedUp(app)
  await suspendUser(app, squatter.user.id)
  const claims = { sub: 'claims', email: squatter.person.email, email_verified: true }
  t.equal((await issuer.visit(await openGuest(app), claims)).page.props.taken, true)
})
