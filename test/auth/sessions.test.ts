import { eq } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../drizzle/schema.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { sharedPerson, signedIn, signedUp, somebody } from '../helpers/people.ts'

t.test("the list shows one's own sessions, newest first", async (t) => {
  const { app, browser, person } = await sharedPerson(t)
  await signedUp(app)
  const second = await signedIn(app, person)

  const { sessions: list, auth } = (await browser.visit('/settings/sessions')).props
  const ids = list.map(({ id }: { id: string }) => id)
  const token = decodeURIComponent(browser.cookies.get('session_token') ?? '').split('.')[0]
  t.match(token, /^[\w-]{43}$/, '32 random bytes')
  t.same(ids, [second.page.props.auth.session.id, token])
  t.same(auth.session, { id: token }, 'their ids are the tokens of the cookies')
  t.equal(Object.keys(list[0]).sort().join(' '), 'created_at id ip_address last_seen_at method user_agent')
  for (const time of ['created_at', 'last_seen_at']) t.match(list[0][time], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
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

t.test('ending the current session signs this browser out, but its device stays known', async (t) => {
  const { browser, session } = await sharedPerson(t)
  const after = await browser.submit('DELETE', `/sessions/${session}`)
  t.equal(after.component, 'auth/sign-in')
  t.same(after.flash, { notice: 'That session has been logged out' })
  t.equal(after.clearHistory, true)
  t.notOk(browser.cookies.has('session_token'))
  t.ok(browser.cookies.has('device'))
})

t.test("another user's session is a 404 and remains", async (t) => {
  const { app, browser } = await sharedPerson(t)
  const other = await signedUp(app)
  const id = other.session
  for (const token of [id, 'unknown', '%00', 'a'.repeat(90)])
    t.equal((await browser.request('DELETE', `/sessions/${token}`, { body: {} })).statusCode, 404)
  t.equal((await other.browser.visit('/settings/sessions')).props.sessions.length, 1)
})

t.test('a cookie without its signature or with an unknown token gives no access', async (t) => {
  const { app, browser, session } = await sharedPerson(t)
  const genuine = browser.cookies.get('session_token') ?? ''

  for (const forged of [session, `${session}.forged`, genuine.replace(session, 'a'.repeat(43)), '', '.', '%']) {
    const thief = new Browser(app)
    thief.cookies.set('session_token', forged)
    t.equal((await thief.visit('/settings/sessions')).component, 'auth/sign-in', `with ${forged}`)
  }
  await app.db.delete(sessions).where(eq(sessions.token, session))
  t.equal((await browser.visit('/settings/sessions')).component, 'auth/sign-in', 'nor once the session is gone')
})

t.test('the cookies of session, device and last method last long, and are out of reach of scripts', async (t) => {
  const { app } = await sharedApp(t)
  for (const headers of [{}, { 'x-forwarded-proto': 'https' }] as Record<string, string>[]) {
    const response = await (await Browser.open(app)).request('POST', '/sign_up', { body: somebody(), headers })
    const secure = 'x-forwarded-proto' in headers || undefined
    const days = 86_400
    const lifetimes = { session_token: 7_300 * days, device: 400 * days, last_method: 400 * days }
    for (const [name, maxAge] of Object.entries(lifetimes)) {
      const cookie = response.cookies.find((each) => each.name === name)
      t.match(cookie, { httpOnly: true, sameSite: 'Lax', path: '/', maxAge })
      t.equal(cookie?.secure, secure)
    }
  }
})
