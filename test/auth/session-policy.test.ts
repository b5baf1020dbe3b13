import t from 'tap'
import { sessions } from '../../drizzle/schema.ts'
import { startApp } from '../helpers/app.ts'
import { liveAcme, password, sharedPerson, signedIn, signedUp } from '../helpers/people.ts'
import { accountIdentifier, openStream } from '../helpers/sse.ts'

const ended = { alert: 'Your session has ended. Please sign in again' }

t.test('an idle session expires, and the sign-in page mentions it once', async (t) => {
  const { app, clock } = await startApp(t, { SESSION_IDLE: '30m' })
  const { browser, person, slug } = await signedUp(app)
  for (const use of ['the first', 'after an earlier one']) {
    clock.forward({ minutes: 29 })
    t.equal((await browser.visit(`/${slug}`)).component, 'accounts/show', use)
    await seen(app)
  }
  clock.forward({ minutes: 31 })
  const page = await browser.visit(`/${slug}`)
  t.equal(page.component, 'auth/sign-in')
  t.same(page.flash, ended)
  t.notOk(browser.cookies.has('session_token'))
  const again = await browser.visit('/settings/profile')
  t.equal(again.component, 'auth/sign-in')
  t.same(again.flash ?? {}, {}, 'and then no more')

  t.same((await browser.submit('POST', '/sign_in', person)).flash, { notice: 'Signed in successfully' })
})

t.test('a session ends at its maximum age, even if it is used, and then gives no access', async (t) => {
  const { app, clock } = await startApp(t, { SESSION_IDLE: '10d', SESSION_MAX: '12h' })
  const { browser, person, page } = await signedUp(app)
  for (let hour = 0; hour < 11; hour++) {
    clock.forward({ hours: 1 })
    t.equal((await browser.visit('/settings/profile')).component, 'settings/profile')
  }
  const other = await signedIn(app, person)
  const listed = async () => (await other.browser.visit('/settings/sessions')).props.sessions.length
  t.equal(await listed(), 2)
  clock.forward({ hours: 1 })
  t.equal(await listed(), 1)
  const { id } = page.props.auth.session
  t.equal((await other.browser.request('DELETE', `/sessions/${id}`)).statusCode, 404)
  const written = await browser.submit('PATCH', '/settings/profile', { name: 'Somebody else' })
  t.equal(written.component, 'auth/sign-in')
  t.same(written.flash, ended)
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
  const { app, clock, db } = await startApp(t, { SESSION_IDLE: '30m' })
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
    const { app, clock } = await startApp(t, idle ? { SESSION_IDLE: idle } : {})
    const { browser } = await signedUp(app)
    const cookies = async () => {
      const { headers } = await browser.request('GET', '/settings/profile')
      return [headers['set-cookie']].flat().filter((cookie) => cookie?.startsWith('session_token=')).length
    }
    clock.forward({ minutes: minutes - 1 })
    t.equal(await cookies(), 0, `before ${minutes} minutes`)
    clock.forward({ minutes: 2 })
    t.equal(await cookies(), 1, `after ${minutes} minutes`)
    await seen(app)
    t.equal(await cookies(), 0, 'and then not at once')
  }
})

t.test('all other sessions can be ended at once, with the password', async (t) => {
  const { app, browser, person, page } = await sharedPerson(t)
  const others = [await signedIn(app, person), await signedIn(app, person)]
  const right = await browser.submit('DELETE', '/sessions', { password_challenge: password })
  t.equal(right.url, '/settings/sessions')
  t.same(right.flash, { notice: 'All other sessions have been ended' })
  const ids = right.props.sessions.map(({ id }: { id: string }) => id)
  t.same(ids, [page.props.auth.session.id])
  for (const other of others) t.equal((await other.browser.visit('/settings/profile')).component, 'auth/sign-in')
})

/** Waits until the use of the only session is recorded, since it happens after the response. */
async function seen({ db, now }: { db: Awaited<ReturnType<typeof startApp>>['db']; now(): Date }) {
  for (;;) {
    const [session] = await db.select().from(sessions)
    if (session && now().getTime() - session.lastSeenAt.getTime() < 60_000) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
