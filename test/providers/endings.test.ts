import { eq } from 'drizzle-orm'
import t from 'tap'
import { identities } from '../../drizzle/tables/providers.ts'
import { startApp } from '../helpers/app.ts'
import { leftByResets, suspendUser } from '../helpers/endings.ts'
import { startIssuer } from '../helpers/issuer.ts'
import { openGuest, signedUp } from '../helpers/people.ts'
import { environmentOf } from '../helpers/providers.ts'

const issuer = await startIssuer(t)
const { app, db, clock } = await startApp(t, environmentOf(issuer.url))

t.test('nobody takes the address of who is suspended through a provider', async (t) => {
  const squatter = await signedUp(app)
  await suspendUser(app, squatter.user.id)
  const claims = { sub: 'claims', email: squatter.person.email, email_verified: true }
  t.equal((await issuer.visit(await openGuest(app), claims)).page.props.taken, true)
})

t.test('a reset disconnects what is older than the verified address, and all if nobody had proved it', async (t) => {
  const { left, words } = await leftByResets({ app, db, clock }, async ({ user: { id } }) => {
    const identity = { userId: id, provider: 'oidc', issuer: 'x', subject: String(id), createdAt: app.now() }
    await db.insert(identities).values(identity)
    return () => db.$count(identities, eq(identities.userId, id))
  })
  t.same(left, [0, 1, 0])
  t.same(words[0], { text: 'sign-in with {provider}', values: { provider: 'Acme ID' } })
})
