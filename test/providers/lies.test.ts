import type { ServerResponse } from 'node:http'
import t from 'tap'
import { sessions, users } from '../../drizzle/schema.ts'
import { identities } from '../../drizzle/tables/providers.ts'
import { collectLines, startApp } from '../helpers/app.ts'
import { begin, client, type Lies, startIssuer } from '../helpers/issuer.ts'
import { openGuest } from '../helpers/people.ts'
import { environmentOf } from '../helpers/providers.ts'

const issuer = await startIssuer(t)
const { lines, logTo } = collectLines()
const { app, db } = await startApp(t, environmentOf(issuer.url), { logTo })

const now = () => Math.floor(Date.now() / 1000)
const reasons = () => lines.flatMap(({ event, reason }) => (event === 'provider' && reason ? [String(reason)] : []))

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

/** What each lie is logged as. */
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
  'the state of nobody': [{ back: { state: 'made-up' } }, /state_unknown/],
  'an error instead of a code': [{ back: { error: 'server_error' } }, /server_error/],
  'a wrong secret, told with a challenge': [{ instead: { '/token': challenging } }, /^invalid_client$/],
  'a token endpoint that answers in HTML': [{ instead: { '/token': html } }, /json|conform|content/],
  'a token endpoint that answers without end': [{ instead: { '/token': endless } }, /too_large/],
  'keys that are no JSON': [{ instead: { '/keys': html } }, /./],
}

for (const [name, [lie, reason]] of Object.entries(lies)) {
  t.test(`a provider that lies signs nobody in (${name})`, async (t) => {
    // keys are kept
    const asked = name.startsWith('keys') ? await startApp(t, environmentOf(issuer.url), { logTo }) : { app }
    const browser = await openGuest(asked.app)
    const person = { sub: 'liar', email: 'liar@example.com', email_verified: true, name: 'Liar' }
    const { response, page } = await issuer.visit(browser, person, { lies: lie })
    t.equal(response.statusCode, 302)
    t.equal(page.component, 'auth/sign-in')
    t.same(page.flash, { alert: "Acme ID didn't work. Try again" })
    t.match(reasons().at(-1), reason)
    t.equal((await browser.visit('/sign_in/with/oidc')).component, 'auth/sign-in')
    t.same([await db.$count(users), await db.$count(sessions), await db.$count(identities)], [0, 0, 0])
  })
}

t.test('clocks may differ by a minute', async (t) => {
  const browser = await openGuest(app)
  const late = claims({ iat: now() + 45, exp: now() - 45 })
  t.equal((await issuer.visit(browser, { sub: 'late' }, { lies: late })).page.component, 'auth/provider')
})

const unreachable: Record<string, (response: ServerResponse) => void> = {
  'answers 503': (response) => response.writeHead(503).end('down'),
  'hangs up': (response) => response.destroy(),
  'never answers': () => {},
  'never ends its answer': (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"a":'),
}
for (const [name, instead] of Object.entries(unreachable)) {
  t.test(`an unreachable provider is reported as such and signs nobody in (${name})`, async (t) => {
    const browser = await openGuest(app)
    const { page } = await issuer.visit(browser, { sub: 'nobody' }, { lies: { instead: { '/token': instead } } })
    t.equal(page.component, 'auth/sign-in')
    t.same(page.flash, { alert: "Acme ID can't be reached. Try again later" })
    t.match(lines.at(-1), { event: 'provider', outcome: 'unreachable', provider: 'oidc' })
  })
}

t.test('a provider that is down at the start is reported as such, and its failure is not cached', async (t) => {
  const { app } = await startApp(t, environmentOf(issuer.url))
  const browser = await openGuest(app)
  issuer.state.instead = { '/.well-known/openid-configuration': (response) => response.writeHead(500).end() }
  const page = await browser.submit('POST', '/sign_in/with/oidc', { return_to: '/settings/profile' })
  t.equal(page.component, 'auth/sign-in')
  t.same(page.flash, { alert: "Acme ID can't be reached. Try again later" })
  t.equal(page.props.return_to, '/settings/profile')
  issuer.state.instead = {}
  t.match(await begin(browser), /^http/)
})

t.test('a discovery of another issuer is refused', async (t) => {
  const { app } = await startApp(t, environmentOf(issuer.url))
  issuer.state.metadata = { issuer: 'https://evil.example' }
  const page = await (await openGuest(app)).submit('POST', '/sign_in/with/oidc')
  t.same(page.flash, { alert: "Acme ID didn't work. Try again" })
  issuer.state.metadata = {}
})

t.test('discovery and keys are asked for once, and unknown keys at most once more in a minute', async (t) => {
  const { app } = await startApp(t, environmentOf(issuer.url))
  issuer.requests.length = 0
  for (let round = 0; round < 3; round++) {
    const browser = await openGuest(app)
    const lie = round === 0 ? {} : { foreignKey: true, header: { kid: 'unknown' } }
    await issuer.visit(browser, { sub: `keys-${round}` }, { lies: lie })
  }
  const asked = (path: string) => issuer.requests.filter((request) => request === path).length
  t.equal(asked('/.well-known/openid-configuration'), 1)
  t.equal(asked('/keys'), 1, 'which were fetched less than a minute ago')
})

t.test('claims missing in the token are read from userinfo', async (t) => {
  const browser = await openGuest(app)
  const lies = { ...without('email'), userinfo: { sub: 'three', email: 'Three@Example.com', email_verified: true } }
  const { page } = await issuer.visit(browser, { sub: 'three' }, { lies })
  t.match(page.props, { email: 'three@example.com', name: null, proved: true })
})

t.test('an address is proved by `email_verified: true` alone', async (t) => {
  for (const claim of [1, 'true', 'yes', null, {}]) {
    const person = { sub: 'four', email: 'four@example.com', email_verified: claim }
    const { page } = await issuer.visit(await openGuest(app), person)
    t.equal(page.props.proved, false, JSON.stringify(claim))
  }
})
