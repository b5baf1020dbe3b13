import t from 'tap'
import { sessions } from '../../drizzle/schema.ts'
import { sharedApp } from '../helpers/app.ts'
import { statementsDuring } from '../helpers/database.ts'
import { liveAcme, password, sharedPerson, signedIn, signedUp } from '../helpers/people.ts'
import { accountIdentifier, openStream } from '../helpers/sse.ts'

const ended = { alert: 'Your session has ended. Please sign in again' }

t.test('an idle session expires, and the sign-in page mentions it once', async (t) => {
  const { app, clock } = await sharedApp(t, { SESSION_IDLE: '30m' })
  const { browser, person, slug } = await signedUp(app)
  for (const use of ['the first', 'after an earlier one']) {
    clock.forward({ minutes: 29 })
    t.equal((await browser.visit(`/${slug}`)).component, 'accounts/show', use)
    await seen(app)
  }
  clock.forward({ minutes: 31 })
  const { page } = await browser.document(`/${slug}`)
  t.equal(page.component, 'auth/sign-in')
  t.same(page.flash, ended)
  t.notOk(browser.cookies.has('session_token'))
  const { page: again } = await browser.document('/settings/profile')
  t.equal(again.component, 'auth/sign-in')
  t.same(again.flash ?? {}, {}, 'and then no more')

  t.same((await browser.submit('POST', '/sign_in', person)).flash, { notice: 'Signed in successfully' })
})

t.test('a session ends at its maximum age, even if it is used, and then gives no access', async (t) => {
  const { app, clock } = await sharedApp(t, { SESSION_IDLE: '10d', SESSION_MAX: '12h' })
  const { browser, person, session } = await signedUp(app)
  for (let hour = 0; hour < 11; hour++) {
    clock.forward({ hours: 1 })
    t.equal((await browser.visit('/settings/profile')).component, 'settings/profile')
  }
  const other = await signedIn(app, person)
  const listed = async () => (await other.browser.visit('/settings/sessions')).props.sessions.length
  t.equal(await listed(), 2)
  clock.forward({ hours: 1 })
  t.equal(await listed(), 1)
  t.equal((await other.browser.request('DELETE', `/sessions/${session}`)).statusCode, 404)
  const written = await browser.submit('PATCH', '/settings/profile', { name: 'Somebody else' })
  t.equal(written.component, 'auth/sign-in')
  t.same((await browser.document(written.url)).page.flash, ended)
  t.equal((await other.browser.visit('/settings/profile')).props.auth.user.name, person.name)
})

t.test('a stream ends when its session expires', async (t) => {
  const { app, clock, owner, join } = await liveAcme(t, { SESSION_IDLE: '30m' }, { liveIntervalMs: 20 })
  const stream = await openStream(t, app, owner.browser, [accountIdentifier('acme')])
  await stream.next(({ type }) => type === 'confirm_subscription')
  clock.forward({ minutes: 31 })
  const newcomer = await join('member')
  const fresh = await openStream(t, app, newcomer.browser, [accountIdentifier('acme')])
  await stream.until(() => stream.ended)
  t.notOk(fresh.ended)
})

t.test('a page left open does not keep its session alive', async (t) => {
  const { app, clock, db } = await sharedApp(t, { SESSION_IDLE: '30m' })
  const { browser, slug } = await signedUp(app)
  const lastSeen = async () => (await db.select().from(sessions))[0]?.lastSeenAt.getTime()
  const before = await lastSeen()
  clock.forward({ minutes: 20 })
  const body = { identifier: accountIdentifier(slug), tab_id: 'tab' }
  t.equal((await browser.request('POST', '/live/presence', { body })).statusCode, 200)
  await browser.request('GET', `/${slug}`, { headers: { 'x-unattended': 'true' } })
  clock.forward({ minutes: 9 })
  t.equal(await lastSeen(), before)
  await browser.visit(`/${slug}`)
  await seen(app)
  t.not(await lastSeen(), before, 'unlike somebody who visits')
})

t.test('the last use is recorded as often as the idle time requires, and at most once an hour', async (t) => {
  for (const [idle, minutes] of Object.entries({ '100m': 10, '30d': 60, '': 60 })) {
    const { app, clock } = await sharedApp(t, idle ? { SESSION_IDLE: idle } : {})
    const { browser } = await signedUp(app)
    const statements = (
      await statementsDuring(async () => {
        clock.forward({ minutes: minutes - 1 })
        await browser.request('GET', '/settings/profile')
        clock.forward({ minutes: 2 })
        await browser.request('GET', '/settings/profile')
        await seen(app)
        await browser.request('GET', '/settings/profile')
      })
    ).filter(({ text }) => text.startsWith('update "sessions"'))
    t.equal(statements.length, 1, `after ${minutes} minutes, and then not at once`)
  }
})

const page = { accept: 'text/html' }
const inBackground: Record<string, Record<string, string>> = {
  'a visit': { ...page, 'x-inertia': 'true' },
  'a script': { ...page, 'sec-fetch-dest': 'empty' },
  'a frame': { ...page, 'sec-fetch-dest': 'iframe' },
  'a prefetch': { ...page, 'sec-purpose': 'prefetch' },
  'a picture': { accept: 'image/png' },
  'a client that wants JSON': { accept: 'application/json' },
}

t.test('the cookie is renewed by page loads alone, and at most once a day', async (t) => {
  const { app, clock } = await sharedApp(t)
  const { browser } = await signedUp(app)
  const renewed = async (headers: Record<string, string>) => {
    const response = await browser.send('GET', '/settings/profile', { headers })
    return [response.headers['set-cookie']].flat().some((cookie) => cookie?.startsWith('session_token='))
  }
  clock.forward({ hours: 23 })
  t.notOk(await renewed(page), 'within the first day')
  clock.forward({ hours: 2 })
  for (const [name, headers] of Object.entries(inBackground)) t.notOk(await renewed(headers), name)
  t.ok(await renewed({ ...page, 'sec-fetch-dest': 'document' }))
  t.notOk(await renewed(page), 'and then not at once')
  clock.forward({ hours: 25 })
  t.ok(await renewed(page), 'a client that does not say what it fetches for')
})

t.test('an answer to an ended session clears no cookie, unless it is the sign-in page that says so', async (t) => {
  const { app, browser, person } = await sharedPerson(t)
  const other = await signedIn(app, person)
  await browser.submit('DELETE', '/sessions', { password_challenge: password })
  const late = other.browser.copy()
  for (const path of ['/settings/profile', '/', '/sign_up', '/sign_in/code', '/live?s=[]']) {
    await late.send('GET', path, { headers: page })
    t.ok(late.cookies.has('session_token'), path)
  }
  for (const [name, headers] of Object.entries(inBackground)) {
    await late.send('GET', '/sign_in', { headers })
    t.ok(late.cookies.has('session_token'), name)
  }
  await late.submit('PATCH', '/settings/profile', { name: 'Somebody else' })
  t.ok(late.cookies.has('session_token'), 'a write')

  const { page: signIn } = await late.document('/settings/profile')
  t.same(signIn.flash, ended)
  t.notOk(late.cookies.has('session_token'))
  t.same((await late.document('/sign_in')).page.flash, {}, 'once')
})

t.test('a late answer with the cookie of before leaves that of a newer sign-in', async (t) => {
  const { app, clock } = await sharedApp(t, { SESSION_IDLE: '30m' })
  const { browser, person } = await signedUp(app)
  const slow = browser.copy() // a tab whose answers a proxy holds: its cookies come after those of the other tab
  const fresh = { password: 'a fresh new password', password_confirmation: 'a fresh new password' }
  const answers = [await slow.request('GET', '/settings/profile')]
  await browser.submit('PATCH', '/settings/password', { password_challenge: password, ...fresh })
  answers.push(await slow.request('GET', '/settings/profile'))
  clock.forward({ minutes: 31 })
  await browser.submit('POST', '/sign_in', { ...person, password: fresh.password })
  answers.push(await slow.request('GET', '/settings/profile'), await slow.send('GET', '/', { headers: page }))
  for (const { headers } of answers) t.notMatch(String(headers['set-cookie'] ?? ''), /session_token=/)
  t.equal((await browser.visit('/settings/profile')).component, 'settings/profile')
})

t.test('all other sessions can be ended at once, with the password', async (t) => {
  const { app, browser, person, session } = await sharedPerson(t)
  const others = [await signedIn(app, person), await signedIn(app, person)]
  const right = await browser.submit('DELETE', '/sessions', { password_challenge: password })
  t.equal(right.url, '/settings/sessions')
  t.same(right.flash, { notice: 'All other sessions have been ended' })
  const ids = right.props.sessions.map(({ id }: { id: string }) => id)
  t.same(ids, [session])
  for (const other of others) t.equal((await other.browser.visit('/settings/profile')).component, 'auth/sign-in')
})

/** Waits until the use of the only session is recorded, since it happens after the response. */
async function seen({ db, now }: { db: Awaited<ReturnType<typeof sharedApp>>['db']; now(): Date }) {
  for (;;) {
    const [session] = await db.select().from(sessions)
    if (session && now().getTime() - session.lastSeenAt.getTime() < 60_000) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
