import { hash } from '@node-rs/argon2'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { rateLimits, sessions, users } from '../../drizzle/schema.ts'
import { digestOf, enqueueHash, isPassword } from '../../plugins/security/digests.ts'
import { sharedApp, startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { untilWaiting, whileLocked } from '../helpers/database.ts'
import { password, sharedPerson, signedIn, signedUp, signUpByForm, somebody } from '../helpers/people.ts'

const incorrect = { alert: 'That email or password is incorrect' }
const later = { alert: 'Try again later.' }
const badRequest = '{"status":400,"error":"Bad Request"}'

t.test('the page is there for a guest, without a query', async (t) => {
  const { app } = await sharedApp(t)
  const { page, response } = await new Browser(app).document('/sign_in')
  t.equal(page.component, 'auth/sign-in')
  t.notOk('invitation_only' in page.props)
  t.match(response.headers['server-timing'], /^app;dur=\d+\.\d+, db;desc="0 queries";dur=0/)
})

t.test('the right password signs in and redirects to the last-used account with a notice', async (t) => {
  const { app, db } = await sharedApp(t)
  const { browser: elsewhere, slug } = await signedUp(app, { email: 'ana@example.com' })
  const { browser, page } = await signedIn(app, { email: ' Ana@Example.com', password }, '6.6.6.6, 203.0.113.50')
  t.equal(page.url, `/${slug}`)
  t.same(page.flash, { notice: 'Signed in successfully' })
  t.ok(browser.cookies.get('session_token'))
  t.equal((await browser.visit('/settings/sessions')).component, 'settings/sessions')
  const [session] = await db.select().from(sessions).where(eq(sessions.ipAddress, '203.0.113.50'))
  t.match(session?.userAgent, /Chrome\/140/)

  await elsewhere.submit('POST', '/accounts', { name: 'Initech' })
  t.equal((await signedIn(app, { email: 'ana@example.com', password })).page.url, '/initech')
})

t.test('the page knows how somebody last signed in with this browser, and not who', async (t) => {
  const { app } = await sharedApp(t)
  const { browser, person, session } = await signUpByForm(app)
  const { props } = await browser.submit('DELETE', `/sessions/${session}`)
  t.equal(props.last_method, 'password')
  t.notMatch(JSON.stringify(props), person.email)
  t.notOk('last_method' in (await new Browser(app).visit('/sign_in')).props)
})

t.test('a wrong password, an unknown email and an unstorable one look the same', async (t) => {
  const { app, person } = await sharedPerson(t)
  const attempts = { [person.email]: 'wrong', 'nobody@example.com': password, 'a\0\ud800': password, '': '' }
  for (const [email, typed] of Object.entries(attempts)) {
    const browser = await Browser.open(app)
    const response = await browser.request('POST', '/sign_in', { body: { email, password: typed } })
    t.same([response.statusCode, response.headers.location], [302, '/sign_in'])
    const page = await browser.follow(response)
    t.same(page.flash, incorrect)
    t.equal(page.props.auth.user, null)
    t.notOk(browser.cookies.has('session_token'))
  }
})

t.test('an unknown email still takes a password check', async (t) => {
  const { app, db, person } = await sharedPerson(t)
  const answered: number[] = []
  const release = Promise.withResolvers<void>()
  const held = [1, 2, 3].map(() => enqueueHash(() => release.promise)) // nothing else is hashed meanwhile
  const attempts = [person.email, 'nobody@example.com', 'a\0\ud800'].map(async (email) => {
    const browser = await Browser.open(app)
    answered.push((await browser.request('POST', '/sign_in', { body: { email, password: 'wrong' } })).statusCode)
  })
  // Each guess is counted right before the check.
  while ((await db.$count(rateLimits, sql`key like 'guess:%'`)) < 3) await new Promise(setImmediate)
  for (let visit = 0; visit < 5; visit++) await (await Browser.open(app)).visit('/sign_in')
  t.same(answered, [], 'all of them wait for their turn')
  release.resolve()
  await Promise.all([...attempts, ...held])
  t.same(answered, [302, 302, 302])
})

t.test('an attempt is recorded after the response by the same statements, be the address known or not', async (t) => {
  const { app, db, person } = await sharedPerson(t)
  for (const email of [person.email, 'nobody@example.com']) {
    const browser = await Browser.open(app)
    await db.transaction(async (tx) => {
      await tx.execute(sql`lock table activities in exclusive mode`)
      t.same((await browser.submit('POST', '/sign_in', { email, password: 'wrong' })).flash, incorrect, 'at once')
      await untilWaiting(db, new Promise(() => {}))
    })
  }
})

t.test('absent and null fields of sign-in and sign-up are 400, as JSON whatever the client prefers', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const { name: _, ...nameless } = somebody()
  const allNull = { name: null, email: null, password: null, password_confirmation: null }
  const bodies = { '/sign_in': [{}, { email: 'ana@example.com' }, allNull], '/sign_up': [{}, nameless, allNull] }
  for (const [path, each] of Object.entries(bodies)) {
    for (const body of each) {
      const response = await browser.request('POST', path, { body })
      t.same([response.statusCode, response.body], [400, badRequest])
      t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    }
  }
})

t.test('a signed-in visitor is redirected home and on to the account, which shows the notice', async (t) => {
  const { browser, slug } = await sharedPerson(t)
  for (const path of ['/sign_in', '/sign_up']) {
    const response = await browser.request('GET', path)
    t.same([response.statusCode, response.headers.location], [302, '/'], path)
    const page = await browser.follow(response)
    t.equal(page.url, `/${slug}`)
    t.same(page.flash, { notice: 'You are already signed in' })
  }
  const response = await browser.request('POST', '/sign_in', { body: { email: '', password: '' } })
  t.equal(response.headers.location, '/')
})

t.test('a password that changes between check and session makes the sign-in wait, and then fail', async (t) => {
  const { app, db, person } = await sharedPerson(t)
  const fresh = 'a fresh password'
  for (const outdated of [false, true]) {
    const passwordDigest = outdated ? await hash(password, { memoryCost: 8192, timeCost: 1 }) : await digestOf(password)
    await db.update(users).set({ passwordDigest })
    const change = sql`update users set password_digest = ${await digestOf(fresh)}`
    const late = await whileLocked(
      db,
      change,
      () => signedIn(app, person),
      (tx) => tx.delete(sessions),
    )
    t.same(late.page.flash, incorrect)
    t.same(await db.select().from(sessions), [])
    t.equal((await signedIn(app, { ...person, password: fresh })).page.component, 'accounts/show')
  }
})

t.test('a digest with an outdated cost, or of the password as it was typed, is replaced', async (t) => {
  const { app, db, person } = await sharedPerson(t)
  const signIn = async (password: string) => (await signedIn(app, { ...person, password })).page.component
  await db.update(users).set({ passwordDigest: await hash(password, { memoryCost: 8192, timeCost: 1 }) })
  t.equal(await signIn(password), 'accounts/show')
  const [user] = await db.select().from(users)
  t.match(user?.passwordDigest, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  t.ok(await isPassword(password, user?.passwordDigest))

  const composed = 'crème brûlée'
  const decomposed = composed.normalize('NFD')
  const present = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
  await db.update(users).set({ passwordDigest: await hash(decomposed, present) })
  t.equal(await signIn(composed), 'auth/sign-in')
  t.equal(await signIn(decomposed), 'accounts/show')
  t.equal(await signIn(composed), 'accounts/show', 'and then another keyboard signs in')
})

t.test('the budget', async (t) => {
  const { app, person } = await sharedPerson(t)
  const browser = await Browser.open(app, { ip: '203.0.113.1' })
  const { email } = person
  const attempt = (headers: Record<string, string> = {}) =>
    browser.request('POST', '/sign_in', { body: { email, password }, headers })
  for (let count = 0; count < 10; count++) await browser.submit('POST', '/sign_in', { email, password: 'wrong' })

  await t.test('rejects even the right password when used up, whatever the proxy entries', async (t) => {
    const response = await attempt()
    t.equal(response.statusCode, 302)
    t.match(response.headers['retry-after'], /^\d+$/)
    t.same((await browser.follow(response)).flash, later)
    t.notOk(browser.cookies.has('session_token'))
    t.ok((await attempt({ 'x-forwarded-for': '10.9.8.7, 203.0.113.1' })).headers['retry-after'])
  })
  await t.test('redirects back to the form, and gives a 429 to JSON clients', async (t) => {
    const { headers } = await attempt({ referer: 'http://localhost:3000/sign_in?invitation=abc' })
    t.equal(headers.location, '/sign_in?invitation=abc')
    const response = await attempt({ accept: 'application/json' })
    t.equal(response.statusCode, 429)
    t.equal(response.body, '{"status":429,"error":"Too Many Requests","message":"Try again later."}')
    t.match(response.headers['retry-after'], /^\d+$/)
  })
  await t.test('is separate for a second client behind the same proxy, and for another endpoint', async (t) => {
    t.equal((await signedIn(app, person, '203.0.113.2')).page.component, 'accounts/show')
    t.ok((await browser.submit('POST', '/sign_up', { ...person, name: '' })).props.errors.name)
  })
  await t.test('is shared by an IPv6 /64', async (t) => {
    const guess = async (ip: string) => (await signedIn(app, { email, password: 'wrong' }, ip)).page.flash
    for (let host = 1; host <= 10; host++) await guess(`2001:db8:1:2::${host}`)
    t.same(await guess('2001:db8:1:2:ffff::1'), later)
    t.same(await guess('2001:db8:1:3::1'), incorrect)
  })
})

t.test('if it cannot count, the limit fails the request instead of letting it pass', async (t) => {
  const { app, db } = await startApp(t)
  const { person } = await signedUp(app)
  const browser = await Browser.open(app)
  await db.execute(sql`drop table rate_limits`)
  t.equal((await browser.request('POST', '/sign_in', { body: person })).statusCode, 500)
})
