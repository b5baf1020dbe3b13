import type { ServerResponse } from 'node:http'
import t from 'tap'
import { guardedFetch } from '../../../plugins/http/guarded-fetch.ts'
import { openIdClient } from '../../../plugins/openid/openid.ts'
import { client, type Lies, startIssuer } from '../../helpers/issuer.ts'

const issuer = await startIssuer(t)
const provider = { id: 'oidc', name: 'Acme ID', url: issuer.url, clientId: client.id, clientSecret: client.secret }
const rules = { isEmailVerified: () => true, wanted: ['email', 'name'], secretIn: 'header' as const }
const options = { fetch: guardedFetch({ allowPrivate: true }), redirectUri: 'http://localhost:3000/callback' }
const secrets = { state: 'state', nonce: 'nonce', verifier: 'verifier'.repeat(6) }

/**
 * Discovery, keys, token and userinfo: all that a provider is asked for one person. Returns the reason of a refusal.
 */
async function signIn(lies: Lies) {
  issuer.state.instead = lies.instead
  const asked = openIdClient(provider, rules, options)
  try {
    const authorization = await asked.begin(secrets)
    const { searchParams } = new URL(issuer.back(String(authorization), { sub: 'ada' }, lies), issuer.url)
    await asked.finish(searchParams, secrets)
    return 'signed in'
  } catch (error) {
    return (error as { reason?: string }).reason ?? 'unreachable'
  }
}

const now = () => Math.floor(Date.now() / 1000)

const html = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>')
const endless = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(`{"a":"${'x'.repeat(1_100_000)}"}`)
}
const challenging = (response: ServerResponse) => {
  const headers = { 'content-type': 'application/json', 'www-authenticate': 'Basic realm="acme"' }
  response.writeHead(401, headers).end('{"error":"invalid_client"}')
}
const claims = (more: object): Lies => ({ claims: (honest) => ({ ...honest, ...more }) })
const without = (name: string): Lies => ({ claims: ({ [name]: _, ...rest }) => rest })
const unsigned = (token: string) => {
  const [, payload] = token.split('.')
  return `${Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')}.${payload}.`
}
const broken = (token: string) => {
  const at = token.lastIndexOf('.') + 10
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
}

/** What each lie is refused for. */
const lies: Record<string, [Lies, RegExp]> = {
  'another nonce': [claims({ nonce: 'another' }), /nonce/],
  'no nonce': [without('nonce'), /nonce|invalid/],
  'another issuer': [claims({ iss: 'https://evil.example' }), /iss/],
  'an issuer in a list': [claims({ iss: ['https://evil.example'] }), /iss|invalid/],
  'another audience': [claims({ aud: 'another-client' }), /aud/],
  'no audience': [without('aud'), /aud|invalid/],
  'a token made for another client that names us too': [claims({ azp: 'another-client' }), /azp/],
  'two audiences and no authorized party': [claims({ aud: [client.id, 'another'] }), /aud|azp/],
  'an expired token': [claims({ exp: now() - 120 }), /exp|timestamp/],
  'no expiry': [without('exp'), /exp|invalid/],
  'an expiry that is no number': [claims({ exp: 'tomorrow' }), /exp|invalid/],
  'a token from the future': [claims({ iat: now() + 600 }), /iat/],
  'no time of issue': [without('iat'), /iat|invalid/],
  'a token that is not valid yet': [claims({ nbf: now() + 600 }), /nbf|timestamp/],
  'no subject': [without('sub'), /sub|invalid/],
  'an empty subject': [claims({ sub: '' }), /sub|invalid/],
  'a subject that is no text': [claims({ sub: 42 }), /sub|invalid/],
  'a subject that cannot be stored': [claims({ sub: 'a\0b' }), /sub/],
  'an endless subject': [claims({ sub: 'x'.repeat(300) }), /sub/],
  'no signature': [{ idToken: unsigned }, /./],
  'a signature with the secret of the client': [{ header: { alg: 'HS256' }, secret: client.secret }, /./],
  'a signature of somebody else': [{ foreignKey: true }, /signature/],
  'a broken signature': [{ idToken: broken }, /signature/],
  'an unknown key': [{ foreignKey: true, header: { kid: 'unknown' } }, /key/],
  'no id token': [{ idToken: () => undefined }, /./],
  'no token at all': [{ idToken: () => 'not.a.token' }, /./],
  'a userinfo of somebody else': [{ ...without('email'), userinfo: { sub: 'other', email: 'x@example.com' } }, /sub/],
  'another issuer in the answer (RFC 9207)': [{ back: { iss: 'https://evil.example' } }, /iss|invalid/],
  'an unknown code': [{ back: { code: 'made-up' } }, /invalid_grant/],
  'an error instead of a code': [{ back: { error: 'server_error' } }, /server_error/],
  'a wrong secret, told with a challenge': [{ instead: { '/token': challenging } }, /^invalid_client$/],
  'a token endpoint that answers in HTML': [{ instead: { '/token': html } }, /json|conform|content/],
  'a token endpoint that answers without end': [{ instead: { '/token': endless } }, /too_large/],
  'keys that are no JSON': [{ instead: { '/keys': html } }, /./],
}

t.test('a provider that lies signs nobody in', async (t) => {
  for (const [name, [lie, expected]] of Object.entries(lies)) {
    const reason = await signIn(lie)
    t.match(reason, expected, name)
    t.not(reason, 'signed in', name)
  }
})

t.test('clocks may differ by a minute', async (t) => {
  t.equal(await signIn(claims({ iat: now() + 45, exp: now() - 45 })), 'signed in')
})

t.test('a discovery of another issuer is refused', async (t) => {
  issuer.state.metadata = { issuer: 'https://evil.example' }
  t.match(await signIn({}), /issuer|mismatch|invalid/)
  issuer.state.metadata = {}
})

const unreachable: Record<string, [reason: string, instead: (response: ServerResponse) => void]> = {
  'answers 503': ['it_answers_503', (response) => response.writeHead(503).end('down')],
  'hangs up': ['refused', (response) => response.destroy()],
  'never answers': ['late', () => {}],
  'never ends its answer': [
    'late',
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"a":'),
  ],
}

t.test('a provider that cannot be reached is no liar', async (t) => {
  for (const [name, [reason, instead]] of Object.entries(unreachable))
    t.equal(await signIn({ instead: { '/token': instead } }), reason, name)
})
