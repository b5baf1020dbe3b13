import type { ServerResponse } from 'node:http'
import t from 'tap'
import { sessions, users } from '../../drizzle/schema.ts'
import { identities } from '../../drizzle/tables/providers.ts'
import { collectLines, startApp } from '../helpers/app.ts'
import { begin, type Lies, startIssuer } from '../helpers/issuer.ts'
import { openGuest } from '../helpers/people.ts'
import { environmentOf } from '../helpers/providers.ts'

const issuer = await startIssuer(t)
const { lines, logTo } = collectLines()
const { app, db } = await startApp(t, environmentOf(issuer.url), { logTo })

const reasons = () => lines.flatMap(({ event, reason }) => (event === 'provider' && reason ? [String(reason)] : []))
const without = (name: string): Lies => ({ claims: ({ [name]: _, ...rest }) => rest })

t.test('a provider that lies signs nobody in, which is logged with the reason', async (t) => {
  for (const [lie, reason] of [
    [without('nonce'), /nonce|invalid/],
    [{ back: { state: 'made-up' } }, /state_unknown/],
  ] as const) {
    const browser = await openGuest(app)
    const person = { sub: 'liar', email: 'liar@example.com', email_verified: true, name: 'Liar' }
    const { response, page } = await issuer.visit(browser, person, { lies: lie })
    t.equal(response.statusCode, 302)
    t.equal(page.component, 'auth/sign-in')
    t.same(page.flash, { alert: "Acme ID didn't work. Try again" })
    t.match(reasons().at(-1), reason)
    t.equal((await browser.visit('/sign_in/with/oidc')).component, 'auth/sign-in')
    t.same([await db.$count(users), await db.$count(sessions), await db.$count(identities)], [0, 0, 0])
  }
})

t.test('an unreachable provider is reported as such and signs nobody in', async (t) => {
  const instead = { '/token': (response: ServerResponse) => response.writeHead(503).end('down') }
  const { page } = await issuer.visit(await openGuest(app), { sub: 'nobody' }, { lies: { instead } })
  t.equal(page.component, 'auth/sign-in')
  t.same(page.flash, { alert: "Acme ID can't be reached. Try again later" })
  t.match(lines.at(-1), { event: 'provider', outcome: 'unreachable', provider: 'oidc' })
})

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
