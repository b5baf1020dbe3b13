import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { collectingRoutes, fill } from '../fuzz/routes.ts'
import { startApp } from '../helpers/app.ts'
import { openGuest, password } from '../helpers/people.ts'
import { codeAt, enable, recoveryCodesOf, startOver, withSecondFactor } from '../helpers/second-factors.ts'

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
    }
  }
  t.ok(closed > 100, `${closed} answers lead to the sign-in page`)
  t.equal((await browser.visit('/')).component, 'home/index')
  const check = await browser.precognize('POST', '/sign_in/verify', { code: codes[0] })
  t.equal(check.statusCode, 400, 'and a code cannot be tried out')
  t.equal((await recoveryCodesOf(db, user.id)).length, 10)
})

t.test('a pending sign-in becomes invalid', async (t) => {
  await t.test('with the password', async (t) => {
    const { browser, halfway, code } = await withSecondFactor({ app, clock })
    const { submit } = await halfway()
    const fresh = { password: 'a fresh password', password_confirmation: 'a fresh password' }
    await browser.submit('PATCH', '/settings/password', { ...fresh, password_challenge: password })
    const page = await submit(await code())
    t.equal(page.url, '/sign_in')
    t.same(page.flash, startOver)
  })
  await t.test('with the factor, even if it is replaced', async (t) => {
    const { browser, halfway, recoveryCodes: codes } = await withSecondFactor({ app, clock })
    const pending = await halfway()
    const cookie = pending.browser.cookies.get('pending_sign_in') ?? ''
    await browser.submit('DELETE', '/settings/second_factor', { password_challenge: password })
    t.equal((await pending.browser.request('GET', '/sign_in/verify')).headers.location, '/sign_in')
    t.notOk((await halfway()).browser.cookies.has('pending_sign_in'), 'without a factor nothing is pending')

    const { secret } = await enable(browser, { clock })
    clock.forward({ seconds: 30 })
    for (const typed of [codes[0], await codeAt(secret, clock.now())]) {
      pending.browser.cookies.set('pending_sign_in', cookie)
      t.same((await pending.submit(typed)).flash, startOver)
    }
  })
  await t.test('with a used code, even in a copy of the cookie', async (t) => {
    const { halfway, code, recoveryCodes: codes } = await withSecondFactor({ app, clock })
    const { browser, submit } = await halfway()
    const copied = await halfway()
    copied.browser.cookies.set('pending_sign_in', browser.cookies.get('pending_sign_in') ?? '')
    t.equal((await submit(await code())).component, 'accounts/show')
    t.same((await copied.submit(codes[0])).flash, startOver)
    t.notOk(copied.browser.cookies.has('pending_sign_in'))
  })
  await t.test('after ten minutes', async (t) => {
    const { halfway, code } = await withSecondFactor({ app, clock })
    const { browser, submit } = await halfway()
    clock.forward({ minutes: 10 })
    const kept = browser.cookies.get('pending_sign_in') ?? ''
    t.equal((await browser.request('GET', '/sign_in/verify')).headers.location, '/sign_in')
    browser.cookies.set('pending_sign_in', kept)
    t.same((await submit(await code())).flash, startOver)
  })
  await t.test('with its user', async (t) => {
    const { halfway, code, user } = await withSecondFactor({ app, clock })
    const { submit } = await halfway()
    await db.delete(users).where(eq(users.id, user.id))
    t.same((await submit(await code())).flash, startOver)
  })
})

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
