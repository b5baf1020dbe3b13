import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { startApp } from '../helpers/app.ts'
import { password } from '../helpers/people.ts'
import { codeAt, recoveryCodesOf, start, startOver, withSecondFactor } from '../helpers/second-factors.ts'
import { accountIdentifier, streamUrl } from '../helpers/sse.ts'

const { app, clock, db } = await startApp(t)

t.test('a pending sign-in gives no access to pages, streams or checks', async (t) => {
  const { halfway, slug, user, recoveryCodes: codes } = await withSecondFactor({ app, clock })
  const { browser } = await halfway()
  const closed = [
    ['GET', '/dashboard'],
    ['GET', `/${slug}`],
    ['GET', `/${slug}/settings`],
    ['PATCH', `/${slug}/settings`],
    ['DELETE', `/${slug}`],
    ['GET', `/${slug}/members`],
    ['POST', `/${slug}/invitations`],
    ['GET', '/accounts/new'],
    ['POST', '/accounts'],
    ['GET', '/settings/profile'],
    ['PATCH', '/settings/profile'],
    ['PATCH', '/settings/password'],
    ['PATCH', '/settings/email'],
    ['GET', '/settings/sessions'],
    ['GET', '/settings/security'],
    ['POST', '/settings/second_factor'],
    ['PATCH', '/settings/second_factor'],
    ['DELETE', '/settings/second_factor'],
    ['POST', '/settings/recovery_codes'],
    ['POST', '/settings/passkeys/options'],
    ['POST', '/settings/passkeys'],
    ['PATCH', '/settings/passkeys/1'],
    ['DELETE', '/settings/passkeys/1'],
    ['POST', '/settings/export'],
    ['GET', '/settings/activity'],
    ['DELETE', '/sessions'],
    ['DELETE', '/users'],
    ['POST', '/identity/email_verification'],
    ['POST', '/invitations/x/accept'],
    ['POST', '/invitations/x/decline'],
    ['GET', streamUrl([accountIdentifier(slug)])],
    ['POST', '/live/perform'],
    ['POST', '/live/presence'],
  ] as const
  for (const [method, path] of closed) {
    const body = method === 'GET' ? {} : { body: { password_challenge: password, code: codes[0] } }
    const response = await browser.request(method, path, body)
    t.equal(response.headers.location, '/sign_in', `${method} ${path}`)
  }
  t.equal((await browser.visit('/')).component, 'home/index')

  for (const [method, path] of [
    ['PATCH', `/${slug}/settings`],
    ['PATCH', '/settings/profile'],
    ['PATCH', '/settings/password'],
  ] as const) {
    const response = await browser.precognize(method, path, { name: 'Eve', password_challenge: password })
    t.equal(response.headers.location, '/sign_in', `a check of ${path}`)
  }
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
    await browser.submit('DELETE', '/settings/second_factor', { password_challenge: password })
    t.equal((await pending.browser.request('GET', '/sign_in/verify')).headers.location, '/sign_in')
    const late = await halfway()
    t.notOk(late.browser.cookies.has('pending_sign_in'), 'without a factor nothing is pending')

    const { secret } = await start(browser)
    await browser.submit('PATCH', '/settings/second_factor', { code: await codeAt(secret, clock.now()) })
    clock.forward({ seconds: 30 })
    const cookie = pending.browser.cookies.get('pending_sign_in')
    for (const typed of [codes[0], await codeAt(secret, clock.now())]) {
      pending.browser.cookies.set('pending_sign_in', cookie ?? '')
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
