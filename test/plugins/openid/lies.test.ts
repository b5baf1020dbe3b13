import type { ServerResponse } from 'node:http'
import t from 'tap'
import { client, type Lies } from '../../helpers/issuer.ts'
import { startAsking } from './asking.ts'

const { issuer, signIn } = await startAsking(t)

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
