import t from 'tap'
import { identities } from '../../drizzle/tables/providers.ts'
import { oidc } from '../helpers/app.ts'
import { runCommand, startCommanded } from '../helpers/commands.ts'
import { signedUp } from '../helpers/people.ts'

t.test('the list of users names the providers that sign them in, as far as they are configured', async (t) => {
  const { app, db, url } = await startCommanded(t)
  const { user } = await signedUp(app)
  const connected = ['google', 'oidc', 'oidc', 'github'].map((provider, n) => ({ provider, subject: String(n) }))
  await db.insert(identities).values(connected.map((each) => ({ ...each, issuer: 'x', userId: user.id })))
  const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
  const { out } = await runCommand('users', { DATABASE_URL: url, ...google, ...oidc }, 'list')
  t.match(out, '  password + google + oidc  ')
})
