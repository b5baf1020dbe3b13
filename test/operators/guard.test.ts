import { eq } from 'drizzle-orm'
import t from 'tap'
import { sessions, users } from '../../drizzle/schema.ts'
import { operatorLog } from '../../drizzle/tables/operators.ts'
import { trustedBrowsers } from '../../drizzle/tables/second-factor.ts'
import { makeOperator } from '../../features/operators/operators.ts'
import { collectingRoutes, fill } from '../fuzz/routes.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { operatorUp } from '../helpers/operators.ts'
import { challenge, nextIp, openGuest, signedIn, verifiedUp } from '../helpers/people.ts'
import { dump, mailsOf, snapshot, typesOf } from '../helpers/records.ts'
import { methodOf, withSecondFactor } from '../helpers/second-factor.ts'

const { routes, frontend } = collectingRoutes()
const { app, clock, db } = await startApp(t, {}, { frontend })
const started = { app, clock }
const operator = await operatorUp(started)
const target = await verifiedUp(app)

const below = () => routes.filter(({ url }) => url.startsWith('/admin'))
const filled = (url: string) => fill(url, { userId: String(target.user.id), accountId: '1' })
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

t.test('to everybody else, no route below /admin exists, whatever they send', async (t) => {
  t.equal(below().length, 22, 'with those of HEAD')
  const guest = await Browser.open(app)
  const someone = await withSecondFactor(started)
  await db.update(users).set({ language: 'de' }).where(eq(users.id, someone.user.id))
  const [revoked, factorless] = [await operatorUp(started), await operatorUp(started)]
  await db.update(users).set({ operatorSince: null }).where(eq(users.id, revoked.user.id))
  await db.update(users).set({ secondFactorAt: clock.now() }).where(eq(users.id, factorless.user.id))
  const before = await snapshot(db, 'users', 'operator_log', 'activities', 'sessions')

  const unknown = new Map<string, string>()
  for (const method of methods) unknown.set(method, (await app.inject({ method, url: '/admin/nowhere' })).body)
  const urls = ['/admin/', '/admin/nowhere', ...new Set(below().map(({ url }) => filled(url)))]
  async function requireNothing(browser: Browser, method: string, url: string, headers: Record<string, string>) {
    const sent = method === 'GET' || method === 'HEAD' ? {} : { body: { ...challenge, reason: 'because' } }
    const response = await browser.send(method as 'GET', url, { headers, ...sent })
    if (response.statusCode !== 404 || response.body !== unknown.get(method))
      t.fail(`${method} ${url} ${JSON.stringify(headers)}: ${response.statusCode}`)
  }
  for (const { browser } of [{ browser: guest }, someone, revoked, factorless])
    for (const url of urls)
      for (const method of methods) await requireNothing(browser, method, url, browser.csrfHeader())
  for (const { browser } of [{ browser: guest }, someone])
    for (const url of urls)
      for (const method of ['GET', below().find((route) => filled(route.url) === url)?.method ?? 'POST'])
        for (const headers of [
          {},
          { ...browser.protocolHeaders(), 'x-inertia-version': 'another' },
          { ...browser.csrfHeader(), precognition: 'true' },
          { ...browser.csrfHeader(), 'x-signed-in-as': '1' },
          { ...browser.csrfHeader(), purpose: 'prefetch' },
        ] as Record<string, string>[])
          await requireNothing(browser, method, url, headers)
  t.same(await snapshot(db, 'users', 'operator_log', 'activities', 'sessions'), before)
})

t.test('a session with one factor is led to the second one, and to the page that was asked for', async (t) => {
  const someone = await operatorUp(started)
  await db
    .update(sessions)
    .set({ firstFactor: 'password', secondFactor: null })
    .where(eq(sessions.userId, someone.user.id))
  for (const { method, url } of below()) {
    const { headers } = await someone.browser.request(
      method as 'GET',
      filled(url),
      method === 'GET' ? {} : { body: challenge },
    )
    t.equal(headers.location, '/sign_in/verify', `${method} ${url}`)
  }
  t.equal(await db.$count(operatorLog, eq(operatorLog.operatorId, someone.user.id)), 0)
  const path = `/admin/users/${target.user.id}`
  t.equal((await someone.browser.visit(path)).component, 'auth/second-factor')
  const page = await someone.browser.submit('POST', '/sign_in/verify', { code: await someone.code(), return_to: path })
  t.equal(page.component, 'operators/user')
})

t.test('no change happens without a challenge, or after the session or the operator ended', async (t) => {
  const { browser, user } = await operatorUp(started)
  const rows = () => snapshot(db, 'users', 'accounts', 'memberships', 'operator_log', 'activities')
  const writes = below().filter(({ method }) => !['GET', 'HEAD'].includes(method))
  t.equal(writes.length, 10)
  for (const { method, url } of writes) {
    const before = await rows()
    const send = (body: object) => {
      browser.headers['x-forwarded-for'] = nextIp()
      return browser.request(method as 'PUT', filled(url), { body: { reason: 'because', user_id: user.id, ...body } })
    }
    const page = /^\/admin\/\w+\/\d+/.exec(filled(url))?.[0]
    for (const body of [{}, { password_challenge: 'a wrong password' }]) {
      const { headers } = await send(body)
      t.equal(headers.location, page, `${method} ${url}`)
    }
    t.same(await rows(), before)
    t.same((await browser.precognize(method as 'PUT', filled(url), challenge)).statusCode, 400)
    t.same(await rows(), before)
  }
  const { errors } = (
    await browser.follow(await browser.request('PUT', `/admin/users/${target.user.id}/suspension`, { body: {} }))
  ).props
  t.same(errors, { reason: ["can't be blank"], password_challenge: ['is invalid'] })
})

t.test(
  'each look, list, search and change leaves a line in the log, without words, and no route changes it',
  async (t) => {
    await db.delete(operatorLog)
    const { browser, user } = operator
    const { user: other } = await verifiedUp(app)
    const [{ id: accountId }] = (await browser.visit(`/admin/users/${other.id}`)).props.accounts
    await browser.request('HEAD', `/admin/users/${other.id}`)
    await browser.visit(`/admin/users/${other.id}`, { purpose: 'prefetch' })
    await browser.visit('/admin/users')
    await browser.visit('/admin/accounts')
    await browser.visit(`/admin/users?before=${other.id + 1}`)
    await browser.visit('/admin/users?q=secret-words')
    await browser.visit('/admin/accounts?q=secret-words')
    await browser.visit(`/admin/accounts/${accountId}`)
    await browser.request('GET', '/admin/users/999999')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
      t.equal((await browser.request(method, '/admin/log', { body: challenge })).statusCode, 404)
    await browser.request('POST', `/admin/users/${other.id}/sign_out`, { body: challenge })

    const { log } = (await browser.visit('/admin/log')).props
    const by = { operator: { id: user.id, name: operator.person.name }, ip_address: browser.headers['x-forwarded-for'] }
    const line = (action: string, about = {}) => ({ ...by, action, user_id: null, account_id: null, ...about })
    t.match(log, [
      line('sessions_ended', { user_id: other.id }),
      line('user_viewed', { user_id: 999_999 }),
      line('account_viewed', { account_id: accountId }),
      line('accounts_searched'),
      line('users_searched'),
      line('users_listed'),
      line('accounts_listed'),
      line('users_listed'),
      ...Array.from({ length: 3 }, () => line('user_viewed', { user_id: other.id })),
    ])
    t.equal(log.length, 11)
    t.notMatch(await dump(db), 'secret-words')
    await browser.request('DELETE', `/admin/users/${other.id}`, { body: challenge })
    t.equal(await db.$count(operatorLog, eq(operatorLog.userId, other.id)), 5, 'it outlives whom it is about')

    clock.forward({ minutes: 364 * 24 * 60 })
    await app.sweeper.sweep()
    t.equal(await db.$count(operatorLog), 12)
    clock.forward({ minutes: 2 * 24 * 60 })
    await app.sweeper.sweep()
    t.equal(await db.$count(operatorLog), 0)
  },
)

t.test('who becomes an operator signs in anew with two factors, in every browser, until the app goes', async (t) => {
  const someone = await withSecondFactor(started)
  const { browser: trusting } = await someone.halfway()
  await trusting.submit('POST', '/sign_in/verify', { code: await someone.code(), trust: true })
  clock.forward({ seconds: 30 })
  const isTheirs = eq(trustedBrowsers.userId, someone.user.id)
  const trust = await db.select().from(trustedBrowsers).where(isTheirs)
  t.ok(await db.transaction((tx) => makeOperator(app, tx, someone.user.id)))
  t.equal(await db.$count(sessions, eq(sessions.userId, someone.user.id)), 0)
  t.equal((await mailsOf(db, someone.user.id)).at(-1), 'operator_granted')
  await db.insert(trustedBrowsers).values(trust) // as one that was written beside it

  const page = await trusting.submit('POST', '/sign_in', {
    email: someone.person.email,
    password: someone.person.password,
  })
  t.equal(page.component, 'auth/second-factor')
  await db.delete(trustedBrowsers).where(isTheirs)
  await trusting.submit('POST', '/sign_in/verify', { code: await someone.code(), trust: true })
  t.equal(await methodOf(trusting), 'password_and_code')
  t.equal((await trusting.visit('/settings/security')).props.trusted_browsers, 0, 'trust is ignored')
  t.equal((await trusting.visit('/admin')).component, 'operators/users')
  const { props, sharedProps } = await trusting.visit('/settings/security')
  t.equal(props.operator, true)
  t.same(sharedProps, ['errors', 'auth'])

  await trusting.submit('DELETE', '/settings/second_factor', challenge)
  t.equal((await trusting.request('GET', '/admin')).statusCode, 404)
  t.equal((await trusting.visit('/settings/security')).props.operator, undefined)
  t.same((await typesOf(db, someone.user.id)).slice(-2), ['second_factor_disabled', 'operator_revoked'])
  t.same((await mailsOf(db, someone.user.id)).slice(-2).toSorted(), ['operator_revoked', 'second_factor_disabled'])
  const guest = await openGuest(app)
  t.equal((await signedIn(app, someone.person)).page.component, 'accounts/show')
  t.equal((await guest.request('GET', '/admin')).statusCode, 404)
})
