import type { ServerResponse } from 'node:http'
import t from 'tap'
import { identities } from '../../drizzle/tables/providers.ts'
import { check, runCommand, startCommanded } from '../helpers/commands.ts'
import { startIssuer } from '../helpers/issuer.ts'
import { signedUp } from '../helpers/people.ts'
import { environmentOf } from '../helpers/providers.ts'
import { environment } from './whole.ts'

t.test('the list of users names the providers that sign them in, as far as they are configured', async (t) => {
  const { app, db, url } = await startCommanded(t)
  const { user } = await signedUp(app)
  const connected = ['google', 'oidc', 'oidc', 'github'].map((provider, n) => ({ provider, subject: String(n) }))
  await db.insert(identities).values(connected.map((each) => ({ ...each, issuer: 'x', userId: user.id })))
  const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
  const { out } = await runCommand('users', { DATABASE_URL: url, ...google, ...environment }, 'list')
  t.match(out, '  password + google + oidc  ')
})

t.test('a provider is asked whether it knows our id and secret, with our redirect URI', async (t) => {
  const issuer = await startIssuer(t)
  const given = { HOST: 'https://app.example.com', ...environmentOf(issuer.url) }
  const callback =
    /^ok +oidc: accepts our .* https:\/\/app\.example\.com\/sign_in\/with\/oidc\/callback as redirect URI$/m
  const known = await check(t, given)
  t.match(known.out, callback)
  t.same([known.code, known.verdicts.mail], [0, 'warning'], 'without a mail server there is a warning, but no failure')

  const refusing = (response: ServerResponse) =>
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}')
  issuer.state.instead = { '/token': refusing }
  const wrong = await check(t, given)
  t.match(wrong.out, /^FAILED +oidc: it says invalid_client$/m)
  t.equal(wrong.code, 1)
  const gone = await check(t, { ...given, OIDC_ISSUER: 'http://127.0.0.1:1' })
  t.match(gone.out, /^FAILED +oidc: it cannot be reached \(unreachable\)$/m)
})
