import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { invitations, recoveryCodes, secondFactors, sessions, users } from '../../drizzle/schema.ts'
import { guessFinder } from '../../features/auth/guesses.ts'
import { signIn, verifyCredentials } from '../../features/auth/sessions.ts'
import { resetSecondFactor } from '../../features/second-factor/second-factors.ts'
import { keyOf } from '../../plugins/security/limits/index.ts'
import { builtFrontend } from '../../server/frontend.ts'
import { collectingRoutes, fill } from '../fuzz/routes.ts'
import { startAcme, tokenOf } from '../helpers/accounts.ts'
import { recorded } from '../helpers/activities.ts'
import { startApp } from '../helpers/app.ts'
import { Browser, type Page } from '../helpers/browser.ts'
import { forgotten } from '../helpers/live.ts'
import { forgetMails, queuedMails } from '../helpers/mails.ts'
import { password, signedIn, signedUp } from '../helpers/people.ts'
import { codeAt, halfway, start, withSecondFactor } from '../helpers/second-factors.ts'
import { accountIdentifier, streamUrl } from '../helpers/sse.ts'

const { app, clock, db } = await startApp(t)
const sessionsOf = (userId: number) => db.select().from(sessions).where(eq(sessions.userId, userId))
const codesOf = (userId: number) => db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, userId))
const verify = (userId: number) => db.update(users).set({ verified: true }).where(eq(users.id, userId))

const again = { alert: 'Please sign in again' }
const wrong = { code: ['is invalid'] }

t.test('the right password alone only gives access to the code page', async (t) => {
  const { halfway } = await withSecondFactor({ app, clock })
  const { browser, response } = await halfway()

  t.equal(response.statusCode, 302)
  t.equal(response.headers.location, '/sign_in/verify')
  t.notOk(browser.cookies.has('session_token'))
  const cookie = [response.headers['set-cookie']].flat().find((line) => line?.startsWith('pending_sign_in='))
  t.match(cookie, /; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)

  const page = await browser.follow(response)
  t.equal(page.component, 'auth/second-factor')
  t.same(page.flash, {})
  t.equal(page.props.auth.user, null)
})

t.test('the right code does what a sign-in does', async (t) => {
  const { halfway, code, slug, user } = await withSecondFactor({ app, clock })
  const { browser, prove } = await halfway()
  const before = browser.csrfHeader()
  const response = await prove(await code())
  t.equal(response.statusCode, 302)
  t.equal(response.headers.location, `/${slug}`)
  t.ok(browser.cookies.has('session_token'))
  t.notOk(browser.cookies.has('pending_sign_in'))
  t.ok(browser.cookies.has('device'), 'its own tries are counted apart from now on')
  t.not(browser.csrfHeader()['x-xsrf-token'], before['x-xsrf-token'])
  const page = await browser.follow(response)
  t.same(page.flash, { notice: 'Signed in successfully' })
  t.equal(page.props.auth.user.id, user.id)
  t.equal((await sessionsOf(user.id)).length, 2)
})

t.test('redirects to the last-used account, or back to the carried invitation', async (t) => {
  const { owner } = await startAcme(app)
  const { person, browser, code } = await withSecondFactor({ app, clock })
  await browser.submit('POST', '/accounts', { name: 'Initech' })
  const { submit } = await halfway(app, person)
  t.equal((await submit(await code())).url, '/initech')

  await owner.browser.submit('POST', '/acme/invitations', { email: person.email, role: 'member' })
  const [invitation] = await db.select().from(invitations)
  const token = await tokenOf(app, invitation?.id ?? 0)
  clock.forward({ seconds: 30 })
  const invited = await halfway(app, person, { invitation: token })
  t.same((await invited.submit('000000')).url, '/sign_in/verify')
  t.equal((await invited.submit(await code())).url, `/invitations/${token}`)

  const late = await halfway(app, person, { invitation: token })
  clock.forward({ minutes: 10 })
  t.equal((await late.submit(await code())).url, `/sign_in?invitation=${token}`, 'carried through a start over, too')
})

t.test('redirects to the requested page', async (t) => {
  const { person, code, slug } = await withSecondFactor({ app, clock })
  const { submit } = await halfway(app, person, { return_to: `/${slug}/members` })
  t.equal((await submit(await code())).url, `/${slug}/members`)
  clock.forward({ seconds: 30 })
  for (const address of ['https://evil.example/', '//evil.example', `/${'x'.repeat(3000)}`]) {
    const { submit } = await halfway(app, person, { return_to: address })
    t.equal((await submit(await code())).url, `/${slug}`, address.slice(0, 30))
    clock.forward({ seconds: 30 })
  }
})

t.test('a code may contain spaces, and a recovery code spaces, dashes and any case', async (t) => {
  const { halfway, code, recoveryCodes: codes } = await withSecondFactor({ app, clock })
  const digits = await code()
  t.equal((await (await halfway()).submit(`${digits.slice(0, 3)} ${digits.slice(3)}`)).component, 'accounts/show')
  const [first = '', second = '', third = ''] = codes
  const grouped = (second.match(/.{4}/g) ?? []).join('-')
  for (const typed of [first.toLowerCase(), ` ${grouped.toLowerCase()}\n`, third.split('').join(' ')]) {
    t.equal((await (await halfway()).submit(typed)).component, 'accounts/show', typed)
  }
})

t.test('a wrong code is reported, and does not use up a right one', async (t) => {
  const { halfway, code, wrong: other } = await withSecondFactor({ app, clock })
  const { browser, prove } = await halfway()
  for (const typed of [await other(), '', '12345', '1234567', 'x'.repeat(24), null, undefined, '٧٥٥٢٢٤', '\0']) {
    const response = await prove(typed)
    t.equal(response.statusCode, 302)
    t.equal(response.headers.location, '/sign_in/verify')
    t.same((await browser.follow(response)).props.errors, wrong, String(typed))
    clock.forward({ seconds: 1 })
  }
  t.notOk(browser.cookies.has('session_token'))
  t.equal((await browser.follow(await prove(await code()))).component, 'accounts/show')
})

t.test('without a pending sign-in there is nothing to prove', async (t) => {
  const browser = await Browser.open(app)
  for (const method of ['GET', 'POST'] as const) {
    const response = await browser.request(method, '/sign_in/verify', method === 'POST' ? { body: { code: '1' } } : {})
    t.equal(response.headers.location, '/sign_in')
    t.same((await browser.follow(response)).flash, again)
  }
})

t.test('signed-in users are redirected home', async (t) => {
  const { browser, slug } = await signedUp(app)
  const page = await browser.visit('/sign_in/verify')
  t.equal(page.url, `/${slug}`)
  t.same(page.flash, { notice: 'You are already signed in' })
})

t.test('one code used twenty times concurrently signs in once', async (t) => {
  const { halfway, code, recoveryCodes: codes, user } = await withSecondFactor({ app, clock })
  for (const [round, typed] of [await code(), codes[0]].entries()) {
    const browsers = await Promise.all(Array.from({ length: 20 }, halfway))
    const answers = await Promise.all(browsers.map(({ prove }) => prove(typed)))
    t.equal(answers.filter(({ headers }) => headers.location !== '/sign_in').length, 1, 'the others start over')
    t.equal((await sessionsOf(user.id)).length, round + 2)
  }
})

t.test(
  'a time step is accepted once: not in the next window, not after an older one, not after the confirmation',
  async (t) => {
    const { halfway, code, secret } = await withSecondFactor({ app, clock })
    const confirmation = await codeAt(secret, new Date(clock.now().getTime() - 30_000))
    t.same((await (await halfway()).submit(confirmation)).props.errors, wrong)

    const used = await code()
    const next = await codeAt(secret, new Date(clock.now().getTime() + 30_000))
    t.equal((await (await halfway()).submit(next)).component, 'accounts/show', 'a clock may be ahead')
    t.same((await (await halfway()).submit(used)).props.errors, wrong, 'and what came before it is over')
    for (let step = 0; step < 3; step++) {
      t.same((await (await halfway()).submit(next)).props.errors, wrong, `${step} steps later`)
      clock.forward({ seconds: 30 })
    }
    t.equal((await (await halfway()).submit(await code())).component, 'accounts/show')
  },
)

t.test('a recovery code works once, and a mail tells how many are left', async (t) => {
  const { halfway, recoveryCodes: codes, user } = await withSecondFactor({ app, clock })
  await verify(user.id)
  await forgetMails(db)
  const { browser, submit } = await halfway()
  t.equal((await submit(codes[3])).component, 'accounts/show')
  t.equal((await browser.visit('/settings/security')).props.second_factor.recovery_codes_left, 9)
  const mails = await queuedMails(db)
  t.same(
    mails.filter(({ mail }) => mail !== 'new_sign_in'),
    [{ mail: 'recovery_code_used', userId: user.id }],
  )
  t.same((await (await halfway()).submit(codes[3])).props.errors, wrong)
  t.equal((await codesOf(user.id)).length, 9)
  const events = (await recorded(db)).filter(({ userId }) => userId === user.id).map(({ type }) => type)
  t.same(events, ['signed_up', 'account_created', 'second_factor_enabled', 'recovery_code_used', 'signed_in'])
})

t.test('a recovery code still signs in if the secret can no longer be decrypted', async (t) => {
  const { halfway, code, recoveryCodes: codes, user } = await withSecondFactor({ app, clock })
  await db
    .update(secondFactors)
    .set({ secret: 'x'.repeat(80) })
    .where(eq(secondFactors.userId, user.id))
  const { prove } = await halfway()
  t.equal((await prove(await code())).statusCode, 500, 'which is a fault of ours, and no wrong code')
  t.equal((await (await halfway()).submit(codes[0])).component, 'accounts/show')
})

t.test("nobody can sign in with another user's codes", async (t) => {
  const ana = await withSecondFactor({ app, clock })
  const ben = await withSecondFactor({ app, clock })
  const { submit } = await ana.halfway()
  t.same((await submit(await ben.code())).props.errors, wrong)
  t.same((await submit(ben.recoveryCodes[0])).props.errors, wrong)
})

t.test('ten wrong codes lock the factor, however many pending sign-ins there are', async (t) => {
  const { halfway, code, wrong: other, user, recoveryCodes: codes } = await withSecondFactor({ app, clock })
  const guess = await other()
  const browsers = await Promise.all(Array.from({ length: 15 }, halfway))
  const answers = await Promise.all(browsers.map(({ prove }) => prove(guess)))
  const refused = answers.filter(({ headers }) => headers['retry-after'])
  t.equal(refused.length, 5, 'what came after the tenth was not even looked at')

  const { browser, prove } = await halfway()
  const response = await prove(await code())
  t.equal(response.headers.location, '/sign_in/verify')
  const seconds = Number(response.headers['retry-after'])
  t.ok(seconds > 880 && seconds <= 900, `${seconds} seconds`)
  t.same((await browser.follow(response)).flash, { alert: 'Try again later.' })
  const json = await browser.request('POST', '/sign_in/verify', {
    body: { code: await code() },
    headers: { accept: 'application/json' },
  })
  t.equal(json.statusCode, 429)

  await t.test('does not block recovery codes, which cannot be guessed', async (t) => {
    t.equal((await (await halfway()).submit(codes[0])).component, 'accounts/show')
    t.equal((await (await halfway()).submit(await code())).component, 'accounts/show', 'and the count begins anew')
  })
  await t.test('is over after a quarter of an hour', async (t) => {
    await db.update(secondFactors).set({ wrongCodes: 9 }).where(eq(secondFactors.userId, user.id))
    const last = await halfway()
    t.same((await last.submit(guess)).props.errors, wrong)
    clock.forward({ seconds: 30 })
    t.same((await last.submit(await code())).flash, { alert: 'Try again later.' })
    await db.update(secondFactors).set({ lockedUntil: sql`now()` }).where(eq(secondFactors.userId, user.id))
    t.equal((await last.submit(await code())).component, 'accounts/show')
  })
})

t.test('a pending sign-in neither counts as a wrong password nor clears any', async (t) => {
  const { person, halfway } = await withSecondFactor({ app, clock })
  const counted = async () => {
    const rows = await db.execute<{ hits: number }>(
      sql`select hits from rate_limits where key = ${keyOf('guess', person.email)}`,
    )
    return rows[0]?.hits
  }
  await signedIn(app, { email: person.email, password: 'wrong' })
  t.equal(await counted(), 1)
  const { submit } = await halfway()
  t.equal(await counted(), 1)
  await submit('000000')
  t.equal(await counted(), 1)
})

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
  t.equal((await codesOf(user.id)).length, 10)
})

t.test('a pending sign-in is answered as a guest is, on every route but its own', async (t) => {
  const { routes, frontend } = collectingRoutes()
  const { app, clock } = await startApp(t, {}, { frontend })
  const { halfway, slug, page, recoveryCodes: codes } = await withSecondFactor({ app, clock })
  const pending = (await halfway()).browser
  const guest = await Browser.open(app)
  const cookie = pending.cookies.get('pending_sign_in') ?? ''
  const values = { slug, token: page.props.auth.session.id, id: '1' }
  const body = { password_challenge: password, code: codes[0] }

  const answerTo = async (browser: Browser, { method, url }: (typeof routes)[number]) => {
    browser.headers['x-forwarded-for'] = `198.18.1.${routes.findIndex((route) => route.url === url)}`
    const sent = method === 'GET' ? {} : { body }
    const answer = await browser.request(method as 'GET', fill(url, values), sent)
    const component = answer.headers['x-inertia'] && answer.json<Page>().component
    return [answer.statusCode, answer.headers.location, component, browser.cookies.has('session_token')]
  }
  let count = 0
  for (const route of routes) {
    if (route.method === 'HEAD' || route.url === '/sign_in/verify') continue
    pending.cookies.set('pending_sign_in', cookie)
    t.same(await answerTo(pending, route), await answerTo(guest, route), `${route.method} ${route.url}`)
    count++
  }
  t.ok(count > 50, `${count} routes`)
})

t.test('a pending sign-in becomes invalid', async (t) => {
  await t.test('with the password', async (t) => {
    const { browser, halfway, code } = await withSecondFactor({ app, clock })
    const { submit } = await halfway()
    const fresh = { password: 'a fresh password', password_confirmation: 'a fresh password' }
    await browser.submit('PATCH', '/settings/password', { ...fresh, password_challenge: password })
    const page = await submit(await code())
    t.equal(page.url, '/sign_in')
    t.same(page.flash, again)
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
      t.same((await pending.submit(typed)).flash, again)
    }
  })
  await t.test('with a used code, even in a copy of the cookie', async (t) => {
    const { halfway, code, recoveryCodes: codes } = await withSecondFactor({ app, clock })
    const { browser, submit } = await halfway()
    const copied = await halfway()
    copied.browser.cookies.set('pending_sign_in', browser.cookies.get('pending_sign_in') ?? '')
    t.equal((await submit(await code())).component, 'accounts/show')
    t.same((await copied.submit(codes[0])).flash, again)
    t.notOk(copied.browser.cookies.has('pending_sign_in'))
  })
  await t.test('after ten minutes', async (t) => {
    const { halfway, code } = await withSecondFactor({ app, clock })
    const { browser, submit } = await halfway()
    clock.forward({ minutes: 10 })
    const kept = browser.cookies.get('pending_sign_in') ?? ''
    t.equal((await browser.request('GET', '/sign_in/verify')).headers.location, '/sign_in')
    browser.cookies.set('pending_sign_in', kept)
    t.same((await submit(await code())).flash, again)
  })
  await t.test('with its user', async (t) => {
    const { halfway, code, user } = await withSecondFactor({ app, clock })
    const { submit } = await halfway()
    await db.delete(users).where(eq(users.id, user.id))
    t.same((await submit(await code())).flash, again)
  })
})

t.test('a pending cookie that was forged, or signed as another cookie, is invalid', async (t) => {
  const { halfway, browser: owner, recoveryCodes: codes } = await withSecondFactor({ app, clock })
  const { browser, submit } = await halfway()
  const genuine = browser.cookies.get('pending_sign_in') ?? ''
  for (const cookie of ['x', genuine.slice(0, -1), `A${genuine}`, owner.cookies.get('session_token') ?? '']) {
    browser.cookies.set('pending_sign_in', cookie)
    t.same((await submit(codes[0])).flash, again, cookie)
  }
  browser.cookies.set('session_token', genuine)
  t.equal((await browser.request('GET', '/settings/security')).headers.location, '/sign_in')
})

t.test('who has no second factor signs in by as many queries as before there was one', async (t) => {
  const counts: number[] = []
  const frontend: typeof builtFrontend = async (site, config) => {
    site.addHook('onResponse', async ({ routeOptions, method, queries }) => {
      if (routeOptions.url === '/sign_in' && method === 'POST') counts.push(queries.count)
    })
    return builtFrontend(site, config)
  }
  const { app } = await startApp(t, {}, { frontend })
  const { browser, person } = await signedUp(app)
  const known = new Browser(app)
  await known.document('/sign_in')
  known.cookies.set('device', browser.cookies.get('device') ?? '') // else a mail is queued as well
  await known.submit('POST', '/sign_in', { email: person.email, password: person.password })
  t.same(counts, [3], 'the limit, the user and the session')
})

t.test('a factor enabled during a password check is required', async (t) => {
  const { browser, person, user } = await signedUp(app)
  const { secret } = await start(browser)
  const { verified, guess } = await verifyCredentials(db, guessFinder(db), { email: person.email, password })
  if (!verified) throw new Error('the password is right')
  await browser.submit('PATCH', '/settings/second_factor', { code: await codeAt(secret, clock.now()) })
  t.equal(await signIn(app, verified, guess, { ipAddress: '203.0.113.7', userAgent: '' }), undefined)
  t.equal((await sessionsOf(user.id)).length, 1)
})

t.test('a reset changes the password and nothing else: the factor stays, and nobody is signed in', async (t) => {
  const { person, code, user } = await withSecondFactor({ app, clock })
  await verify(user.id)
  const page = await forgotten(app, person.email)
  t.equal(page.url, '/sign_in')
  t.same(await sessionsOf(user.id), [])

  const { browser, page: asked } = await signedIn(app, { email: person.email, password: 'a fresh password' })
  t.equal(asked.component, 'auth/second-factor')
  t.equal((await browser.submit('POST', '/sign_in/verify', { code: await code() })).component, 'accounts/show')
})

t.test('an operator can remove the factor of a user who lost everything', async (t) => {
  const { person, halfway, user } = await withSecondFactor({ app, clock })
  await verify(user.id)
  await forgetMails(db)
  const { submit } = await halfway()
  t.equal(await resetSecondFactor(app, person.email), true)
  t.same((await submit('000000')).flash, again)
  t.same(await queuedMails(db), [{ mail: 'second_factor_disabled', userId: user.id }])
  t.equal((await signedIn(app, person)).page.component, 'accounts/show')
  t.equal(await resetSecondFactor(app, person.email), false, 'there is none any more')
  t.equal(await resetSecondFactor(app, 'nobody@example.com'), false)
})
