import { eq } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../drizzle/schema.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { sharedPerson, signedIn, signedUp } from '../helpers/people.ts'

t.test("the list shows one's own sessions, newest first", async (t) => {
  const { app, browser, person } = await sharedPerson(t)
  await signedUp(app)
  const second = await signedIn(app, person)

  const page = await browser.visit('/settings/sessions')
  const list = page.props.sessions
  t.equal(list.length, 2)
  t.equal(list[0].id, second.page.props.auth.session.id)
  t.equal(list[1].id, page.props.auth.session.id)
  t.same(Object.keys(list[0]).sort(), ['created_at', 'id', 'ip_address', 'last_seen_at', 'method', 'user_agent'])
  for (const time of ['created_at', 'last_seen_at']) t.match(list[0][time], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

t.test("the session's id is the cookie's token", async (t) => {
  const { browser, page } = await sharedPerson(t)
  const token = decodeURIComponent(browser.cookies.get('session_token') ?? '').split('.')[0]
  t.same(page.props.auth.session, { id: token })
  t.match(token, /^[\w-]{43}$/, '32 random bytes')
})

t.test('ending another own session removes it and clears the history', async (t) => {
  const { app, browser, person } = await sharedPerson(t)
  const other = await signedIn(app, person)

  const response = await browser.request('DELETE', `/sessions/${other.page.props.auth.session.id}`, { body: {} })
  t.equal(response.statusCode, 303)
  t.equal(response.headers.location, '/settings/sessions')

  const page = await browser.follow(response)
  t.same(page.flash, { notice: 'That session has been logged out' })
  t.equal(page.clearHistory, true)
  t.equal(page.props.sessions.length, 1)
  t.equal((await other.browser.visit('/settings/sessions')).component, 'auth/sign-in')
  t.notOk('clearHistory' in (await browser.visit('/settings/sessions')), 'only once')
})

t.test('ending the current session signs this browser out', async (t) => {
  const { browser, page } = await sharedPerson(t)
  const before = browser.csrfHeader()
  const after = await browser.submit('DELETE', `/sessions/${page.props.auth.session.id}`)
  t.equal(after.component, 'auth/sign-in')
  t.same(after.flash, { notice: 'That session has been logged out' })
  t.equal(after.clearHistory, true)
  t.notOk(browser.cookies.has('session_token'))
  t.not(browser.csrfHeader()['x-xsrf-token'], before['x-xsrf-token'], 'and rotates the CSRF token')
})

t.test("another user's session is a 404 and remains", async (t) => {
  const { app, browser } = await sharedPerson(t)
  const other = await signedUp(app)
  for (const token of [other.page.props.auth.session.id, 'unknown', '%00', 'a'.repeat(90)]) {
    t.equal((await browser.request('DELETE', `/sessions/${token}`, { body: {} })).statusCode, 404)
  }
  t.equal((await other.browser.visit('/settings/sessions')).props.sessions.length, 1)
})

t.test('a cookie without its signature or with an unknown token gives no access', async (t) => {
  const { app, browser, page } = await sharedPerson(t)
  const token: string = page.props.auth.session.id
  const genuine = browser.cookies.get('session_token') ?? ''

  for (const forged of [token, `${token}.forged`, genuine.replace(token, 'a'.repeat(43)), '', '.', '%']) {
    const thief = new Browser(app)
    thief.cookies.set('session_token', forged)
    t.equal((await thief.visit('/settings/sessions')).component, 'auth/sign-in', `with ${forged}`)
  }
  await app.db.delete(sessions).where(eq(sessions.token, token))
  t.equal((await browser.visit('/settings/sessions')).component, 'auth/sign-in', 'nor once the session is gone')
})

t.test('the session cookie lasts twenty years and is out of reach of scripts', async (t) => {
  const { app } = await sharedApp(t)
  const cookieOf = async (headers: Record<string, string>) => {
    const browser = await Browser.open(app)
    const { somebody } = await import('../helpers/people.ts')
    const response = await browser.request('POST', '/sign_up', { body: somebody(), headers })
    return [response.headers['set-cookie']].flat().find((cookie) => cookie?.startsWith('session_token='))
  }
  const plain = await cookieOf({})
  for (const attribute of ['Max-Age=630720000', 'Path=/', 'HttpOnly', 'SameSite=Lax']) t.match(plain, attribute)
  t.notMatch(plain, /Secure/)
  t.match(await cookieOf({ 'x-forwarded-proto': 'https' }), /; Secure/)
})

t.test('GET on a session, and a DELETE that is precognitive or by a guest, are refused', async (t) => {
  const { app, browser, page, person } = await sharedPerson(t)
  const other = await signedIn(app, person)
  t.equal((await browser.request('GET', '/sessions/abc')).statusCode, 404)
  const paths = [page, other.page].map(({ props }) => `/sessions/${props.auth.session.id}`)
  for (const path of paths) t.equal((await browser.precognize('DELETE', path, {})).statusCode, 400)
  const guest = await Browser.open(app)
  const asGuest = await guest.request('DELETE', paths[0] ?? '', { body: {} })
  t.equal(asGuest.headers.location, '/sign_in')
  t.equal((await browser.visit('/settings/sessions')).props.sessions.length, 2)
})

t.test('a session in use is renewed once an hour: cookie and last use', async (t) => {
  const { db, clock, browser } = await sharedPerson(t)
  const [before] = await db.select().from(sessions)

  const setsCookie = async () => {
    const response = await browser.request('GET', '/settings/sessions')
    return [response.headers['set-cookie']].flat().some((cookie) => cookie?.startsWith('session_token='))
  }
  t.equal(await setsCookie(), false)
  clock.forward({ minutes: 61 })
  t.equal(await setsCookie(), true)

  const seenAgain = async () => {
    const [now] = await db.select().from(sessions)
    return now && before && now.lastSeenAt > before.lastSeenAt
  }
  // recorded after the response
  while (!(await seenAgain())) await new Promise((resolve) => setTimeout(resolve, 5))
  t.equal(await setsCookie(), false)
})
