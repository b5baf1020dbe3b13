import { eq } from 'drizzle-orm'
import t from 'tap'
import { sessions, users } from '../../drizzle/schema.ts'
import { secondFactors } from '../../drizzle/tables/second-factor.ts'
import { collectingRoutes, fill } from '../fuzz/routes.ts'
import { startApp } from '../helpers/app.ts'
import { challenge, changeEmail, openGuest, password } from '../helpers/people.ts'
import { codeAt, enable, recoveryCodesOf, sessionsOf, startOver, withSecondFactor } from '../helpers/second-factor.ts'

const { routes, frontend } = collectingRoutes()
const { app, clock, db } = await startApp(t, {}, { frontend })

t.test('a pending sign-in opens what is open to a guest, and nothing else', async (t) => {
  const { halfway, slug, user, recoveryCodes: codes } = await withSecondFactor({ app, clock })
  const { browser } = await halfway()
  const guest = await openGuest(app)
  const body = { password_challenge: password, code: codes[0] }
  let closed = 0
  for (const { method, url } of routes) {
    if (url.startsWith('/sign_in/verify')) continue
    const path = fill(url, { slug, id: '1', token: 'x' })
    for (const precognition of ['false', 'true']) {
      const sent = method === 'GET' || method === 'HEAD' ? {} : { body, headers: { precognition } }
      const theirs = await guest.request(method as 'GET', path, sent)
      const ours = await browser.request(method as 'GET', path, sent)
      t.equal(ours.statusCode, theirs.statusCode, `${method} ${path}`)
      t.equal(ours.headers.location, theirs.headers.location, `${method} ${path}`)
      if (ours.headers.location === '/sign_in') closed++
      const isForUsers = precognition === 'false' && /^\/(settings|accounts|sessions|dashboard|live|:slug)/.test(url)
      if (isForUsers) t.equal(theirs.headers.location, '/sign_in', `${method} ${path}`)
    }
  }
  t.ok(closed > 100, `${closed} answers lead to the sign-in page`)
  for (const page of ['/sign_in/sso', '/sign_in']) await guest.visit(page) // which show what the last of them said
  const { component, flash } = await guest.visit('/settings/profile')
  t.same([component, flash], ['auth/sign-in', {}])
  t.equal((await browser.visit('/')).component, 'home/index')
  const check = await browser.precognize('POST', '/sign_in/verify', { code: codes[0] })
  t.equal(check.statusCode, 400, 'and a code cannot be tried out')
  t.equal((await recoveryCodesOf(db, user.id)).length, 10)
})

type Someone = Awaited<ReturnType<typeof withSecondFactor>>
const fresh = { password: 'a fresh password', password_confirmation: 'a fresh password' }

/** What ends a pending sign-in, which is in this cookie. Returns the secret of the app, where it is another one. */
const ends: Record<string, (someone: Someone, cookie: string) => Promise<unknown>> = {
  'with the password': ({ browser }) => browser.submit('PATCH', '/settings/password', { ...challenge, ...fresh }),
  'with the address': (someone) => changeEmail(someone, `moved-${someone.person.email}`),
  'with the factor': ({ browser }) => browser.submit('DELETE', '/settings/second_factor', challenge),
  async 'with the factor, even if it is replaced'({ browser }) {
    await browser.submit('DELETE', '/settings/second_factor', challenge)
    const { secret } = await enable(browser, { clock })
    clock.forward({ seconds: 30 })
    return secret
  },
  async 'with a used code, even in a copy of the cookie'({ halfway, code }, cookie) {
    const copy = await halfway()
    copy.browser.cookies.set('pending_sign_in', cookie)
    t.equal((await copy.submit(await code())).component, 'accounts/show')
    clock.forward({ seconds: 30 })
  },
  'after ten minutes': async () => clock.forward({ minutes: 10 }),
  'with its user': ({ user }) => db.delete(users).where(eq(users.id, user.id)),
}
for (const [when, end] of Object.entries(ends)) {
  t.test(`a pending sign-in becomes invalid ${when}`, async (t) => {
    const someone = await withSecondFactor({ app, clock })
    const { browser, submit } = await someone.halfway()
    const cookie = browser.cookies.get('pending_sign_in') ?? ''
    const ended = await end(someone, cookie)
    const secret = typeof ended === 'string' ? ended : someone.secret
    t.equal((await browser.request('GET', '/sign_in/verify')).headers.location, '/sign_in')
    for (const typed of [someone.recoveryCodes[0], await codeAt(secret, clock.now())]) {
      browser.cookies.set('pending_sign_in', cookie)
      const page = await submit(typed)
      t.equal(page.url, '/sign_in')
      t.same(page.flash, startOver)
      t.notOk(browser.cookies.has('pending_sign_in'))
    }
  })
}

t.test('a pending cookie that was forged, or signed as another cookie, is invalid', async (t) => {
  const { halfway, browser: owner, recoveryCodes: codes } = await withSecondFactor({ app, clock })
  const { browser, submit } = await halfway()
  const genuine = browser.cookies.get('pending_sign_in') ?? ''
  for (const cookie of ['x', genuine.slice(0, -1), `A${genuine}`, owner.cookies.get('session_token') ?? '']) {
    browser.cookies.set('pending_sign_in', cookie)
    t.same((await submit(codes[0])).flash, startOver, cookie)
  }
  browser.cookies.set('session_token', genuine)
  t.equal((await browser.request('GET', '/settings/security')).headers.location, '/sign_in')
})

const isOver = { alert: 'That sign-in is over. Sign in again' }

t.test('of two that are pending in one browser, a form is judged for the one that it names alone', async (t) => {
  const [older, newer] = [await withSecondFactor({ app, clock }), await withSecondFactor({ app, clock })]
  const { browser } = await older.halfway()
  const form = await browser.visit('/sign_in/verify')
  t.equal(form.props.email, older.person.email)
  await browser.submit('POST', '/sign_in', { email: newer.person.email, password })
  t.equal((await browser.visit('/sign_in/verify')).props.email, newer.person.email)

  const { email } = form.props
  for (const body of [{ code: await older.code() }, { code: older.recoveryCodes[0] }, { response: {} }]) {
    const page = await browser.submit('POST', '/sign_in/verify', { ...body, email })
    t.match(page, { url: '/sign_in', flash: isOver }, 'and no code is spent')
  }
  for (const odd of ['', null, 7, [newer.person.email, email]])
    t.equal((await browser.submit('POST', '/sign_in/verify', { code: await newer.code(), email: odd })).url, '/sign_in')
  const [factor] = await db.select().from(secondFactors).where(eq(secondFactors.userId, newer.user.id))
  t.equal(factor?.wrongCodes, 0)
  const page = await browser.submit('POST', '/sign_in/verify', { code: await newer.code(), email: newer.person.email })
  t.match(page, { component: 'accounts/show', props: { auth: { user: { id: newer.user.id } } } })
})

t.test('a form of another sign-in does not raise a session', async (t) => {
  const someone = await withSecondFactor({ app, clock })
  const before = await sessionsOf(db, someone.user.id)
  const low = { firstFactor: 'password', secondFactor: null } as const
  await db.update(sessions).set(low).where(eq(sessions.userId, someone.user.id))
  const body = { code: await someone.code(), email: 'somebody-else@example.com' }
  const { headers } = await someone.browser.request('POST', '/sign_in/verify', { body })
  t.equal(headers.location, '/sign_in')
  const [after] = await sessionsOf(db, someone.user.id)
  t.match(after, { token: before[0]?.token, secondFactor: null })
  const page = await someone.browser.submit('POST', '/sign_in/verify', { ...body, email: someone.person.email })
  t.equal(page.component, 'accounts/show')
})
