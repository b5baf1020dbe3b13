import { eq } from 'drizzle-orm'
import t from 'tap'
import { invitations, presences, sessions, users } from '../../drizzle/schema.ts'
import { recheckUser } from '../../plugins/live/broadcast.ts'
import { listen, rendering, sharedApp, startApp } from '../helpers/app.ts'
import { suspended, suspendUser, undoChange, unsuspendUser } from '../helpers/endings.ts'
import {
  changeEmail,
  forgotten,
  invite,
  openGuest,
  password,
  sidOf,
  signedIn,
  signedUp,
  startAcme,
  userRow,
  verifiedUp,
  verify,
} from '../helpers/people.ts'
import { mailsOf, typesOf } from '../helpers/records.ts'
import { startSmtp } from '../helpers/smtp.ts'
import { acme, beat, openStream } from '../helpers/sse.ts'

const { app, clock, db } = await startApp(t)
await listen(app)

t.test('nobody who is suspended begins a session, and who knows no password learns nothing', async (t) => {
  const { user, person } = await verifiedUp(app)
  await suspendUser(app, user.id)
  const wrong = { alert: 'That email or password is incorrect' }
  t.same((await signedIn(app, { ...person, password: 'a wrong password' })).page.flash, wrong)
  t.match((await signedIn(app, person)).page, suspended)
  const { flash } = await forgotten(app, user.id, 'a fresh password')
  t.equal(flash?.notice, 'Your password was reset successfully. Please sign in')
  t.match((await signedIn(app, { ...person, password: 'a fresh password' })).page, suspended)
  t.equal(await db.$count(sessions, eq(sessions.userId, user.id)), 0)
})

t.test('whoever is suspended is led to those who help, where the operator named them', async (t) => {
  const page = 'https://example.com/help'
  const links = [
    [undefined, {}],
    [page, { SUPPORT_URL: page }],
    ['mailto:help@example.com', { SUPPORT_EMAIL: 'help@example.com' }],
  ] as const
  for (const [link, environment] of links) {
    const { app } = await sharedApp(t, { ...rendering, ...environment })
    const { user, person } = await verifiedUp(app)
    await suspendUser(app, user.id)
    const guest = await openGuest(app)
    await guest.request('POST', '/sign_in', { body: person })
    const { html } = await guest.document('/sign_in')
    const [, alert = ''] = /role="alert"(.*?)<button/s.exec(html) ?? []
    t.match(alert, 'Your account is suspended')
    t.equal(/href="([^"]+)">Contact support</.exec(alert)?.[1], link)
  }
})

t.test('it ends everything through which they act, and what they sent, and nothing that is theirs', async (t) => {
  const { owner, join, path } = await startAcme(app)
  const someone = await join('owner')
  const { user, browser, person } = someone
  await verify(db, user.id)
  const { link } = await invite(app, someone, path, 'friend@example.com')
  const kept = await invite(app, owner, path, 'another@example.com')
  const stream = await openStream(t, app, browser, [acme])
  await beat(browser, { tab_id: 'tab-1' })
  const watching = await openStream(t, app, owner.browser, [acme])

  t.ok(await suspendUser(app, user.id))
  await stream.untilEnded()
  await watching.next(({ present }) => present?.length === 0)
  t.equal((await browser.visit('/settings/profile')).component, 'auth/sign-in')
  t.equal((await (await openGuest(app)).request('GET', link)).statusCode, 404)
  const pending = (await db.select().from(invitations)).map(({ id }) => id)
  t.same(pending, [kept.id])
  t.equal(await db.$count(presences), 0)
  const told = (await owner.browser.visit(`${path}/activity`)).props.activities
  t.equal(told[0].type, 'invitation_revoked')
  t.match((await owner.browser.visit(`${path}/members`)).props.members[1], { user_id: user.id, role: 'owner' })

  t.notOk(await suspendUser(app, user.id), 'once')
  const types = (await typesOf(db, user.id)).filter((type) => type.endsWith('suspended'))
  t.same(types, ['suspended'])
  t.ok(await unsuspendUser(app, user.id))
  t.notOk(await unsuspendUser(app, user.id))
  t.same((await typesOf(db, user.id)).slice(-1), ['unsuspended'])
  const isMailed = (mail: unknown) => String(mail).endsWith('suspended')
  t.same((await mailsOf(db, user.id)).filter(isMailed), ['suspended', 'unsuspended'])
  t.equal((await signedIn(app, person)).page.component, 'accounts/show')
})

t.test('they are told by mail, without the reason', async (t) => {
  const smtp = await startSmtp(t)
  const { app } = await startApp(t, smtp.environment)
  await app.jobs.startWorkers()
  const { user, person } = await verifiedUp(app)
  await suspendUser(app, user.id)
  const mail = await smtp.next('Your account was suspended')
  t.equal(mail.recipient, person.email)
  t.notMatch(mail.text, 'because')
  await unsuspendUser(app, user.id)
  t.equal((await smtp.next('Your account is active again')).recipient, person.email)
})

t.test('a session that another version makes for them opens nothing', async (t) => {
  const { user, browser } = await verifiedUp(app)
  const stream = await openStream(t, app, browser, [])
  await db.update(users).set({ suspendedAt: clock.now() }).where(eq(users.id, user.id))
  t.equal((await browser.visit('/settings/profile')).component, 'auth/sign-in')
  t.equal((await browser.visit('/acme')).component, 'auth/sign-in')
  t.equal((await browser.request('POST', '/accounts', { body: { name: 'Mine' } })).headers.location, '/sign_in')
  await db.transaction((tx) => recheckUser(tx, user.id))
  await stream.untilEnded()
})

t.test('nobody takes the address: no claim, no link in a mail, no sweep', async (t) => {
  const squatter = await signedUp(app)
  const { email } = squatter.person
  const sid = await sidOf(app, 'not_mine', squatter.user.id)
  await suspendUser(app, squatter.user.id)
  const guest = await openGuest(app)
  t.match(await guest.visit(`/identity/not_mine?sid=${sid}`), { flash: { alert: 'That link is invalid' } })
  t.match(await guest.submit('POST', '/identity/not_mine', { sid }), { flash: { alert: 'That link is invalid' } })

  const { owner, path } = await startAcme(app)
  const { token } = await invite(app, owner, path, email)
  const claim = { name: 'Ana', email, password, password_confirmation: password, invitation: token }
  t.same((await guest.submit('POST', '/sign_up', claim)).props.errors, { email: ['has already been taken'] })

  clock.forward({ minutes: 60 * 24 * 40 })
  await app.sweeper.sweep()
  t.match(await userRow(db, squatter.user.id), { email, verified: false })
})

t.test('an undone change of the address works, and lifts nothing', async (t) => {
  const someone = await verifiedUp(app)
  await changeEmail(someone, `new-${someone.person.email}`)
  await suspendUser(app, someone.user.id)
  const page = await undoChange(app, someone.user.id)
  t.equal(page.flash?.notice, 'Your email has been restored. Choose a new password')
  t.match(await userRow(db, someone.user.id), { email: someone.person.email, suspensionReason: 'because' })
  await forgotten(app, someone.user.id)
  t.match((await signedIn(app, { ...someone.person, password: 'a fresh password' })).page, suspended)
})
