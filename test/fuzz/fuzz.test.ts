import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { collectLines, startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { password, signedUp, startAcme, tokenOf } from '../helpers/people.ts'
import { type Known, requests, type Sent } from './requests.ts'
import { collectingRoutes, fill } from './routes.ts'

// A new seed each time. The one that is printed repeats a run: FUZZ_SEED=1234 npm test -- test/fuzz
const { FUZZ_SEQUENCES = '150', FUZZ_SEED = String(randomInt(2 ** 31)) } = process.env
const hang = 10_000 // milliseconds

t.test('no sequence of requests, valid or not, causes a server error, a hang or a leak', async (t) => {
  const { routes, frontend } = collectingRoutes()
  const { lines, logTo } = collectLines()
  const { app } = await startApp(t, { LOG_LEVEL: 'info' }, { frontend, logTo })
  const { people, known, secrets, typed } = await populate(app)
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))

  t.comment(`FUZZ_SEED=${FUZZ_SEED}`)
  t.ok(routes.length > 40, 'the routes could be read')
  await fc.assert(
    fc.asyncProperty(fc.array(requests(routes, known, people.length), { maxLength: 12 }), async (sequence) => {
      for (const sent of sequence) {
        const { status, text } = await send(app, people, sent)
        const line = `${sent.route.method} ${sent.route.url}: ${status}`
        const logged = JSON.stringify(lines.splice(0))
        assert.ok(status < 500 || isLinkFetchedAhead(sent), `${line} ${logged}`)
        for (const secret of secrets) assert.ok(!text.includes(secret), `${line} shows a secret`)
        for (const secret of [...secrets, ...typed])
          assert.ok(!logged.includes(secret), `a secret is logged: ${logged}`)
      }
      assert.deepEqual(unhandled.splice(0), [])
    }),
    { numRuns: Number(FUZZ_SEQUENCES), seed: Number(FUZZ_SEED) },
  )
})

/** Creates the people who send requests, values that they know, and secrets that must never appear. */
async function populate(app: FastifyInstance) {
  const acme = await startAcme(app)
  const member = await acme.join('member')
  const stranger = await signedUp(app)
  const guest = await Browser.open(app, { ip: '203.0.113.99' })
  await acme.owner.browser.submit('POST', '/acme/invitations', { email: 'new@example.com', role: 'member' })
  const page = await acme.owner.browser.visit('/acme/members')
  const invitation = await tokenOf(app, page.props.invitations[0].id)

  const people = [acme.owner.browser, member.browser, stranger.browser, guest]
  const identifier = JSON.stringify({ account: 'acme', channel: 'AccountChannel' })
  const emails = [acme.owner.person.email, member.person.email, 'new@example.com', 'unknown@example.com']
  const passwords = [password, 'wrong password here', '']
  const known: Known = {
    slug: ['acme', stranger.slug],
    id: [acme.owner.membershipId, member.membershipId, page.props.invitations[0].id].map(String),
    token: [invitation, member.session],
    email: emails,
    name: ['Zoë', ''],
    role: ['owner', 'admin', 'member'],
    password: passwords,
    password_challenge: passwords,
    password_confirmation: passwords,
    identifier: [identifier],
    s: [JSON.stringify([identifier])],
    tab_id: ['tab-1'],
  }
  const cookies = people.flatMap(({ cookies }) => [cookies.get('session_token'), cookies.get('csrf_secret')])
  const signatures = cookies.flatMap((cookie) => decodeURIComponent(cookie ?? '').split('.')[1] ?? [])
  return { people, known, secrets: ['$argon2', ...signatures], typed: [password, invitation] }
}

async function send(app: FastifyInstance, people: Browser[], { route, who, parameters, query, body, headers }: Sent) {
  const browser = people[who] ?? assert.fail('somebody sends it')
  const response = await app.inject({
    method: route.method as 'GET',
    url: fill(route.url, mapValues(parameters, encodeURIComponent)),
    query: mapValues(query, (value) => String(typeof value === 'object' ? JSON.stringify(value) : value)),
    headers: {
      ...browser.headers,
      'x-forwarded-for': `10.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}.1`,
      cookie: browser.cookieHeader(),
      ...browser.csrfHeader(),
      'content-type': 'application/json',
      ...headers,
    },
    ...(route.method === 'GET' || route.method === 'HEAD' ? {} : { payload: JSON.stringify(body) }),
    payloadAsStream: true, // event streams send headers but never end
    signal: AbortSignal.timeout(hang),
  })
  const endless = String(response.headers['content-type']).startsWith('text/event-stream')
  if (endless) response.stream().destroy()
  return { status: response.statusCode, text: endless ? '' : await text(response.stream()) }
}

// A prefetch of a verification link is answered with 503 on purpose.
const isLinkFetchedAhead = ({ route, headers }: Sent) =>
  route.url === '/identity/email_verification' && headers.purpose === 'prefetch'

const mapValues = <A, B>(values: Record<string, A>, map: (value: A) => B) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
