import { eq } from 'drizzle-orm'
import t from 'tap'
import { invitations, presences, sessions, users } from '../../drizzle/schema.ts'
import { apiTokens } from '../../drizzle/tables/api.ts'
import { invitationLinks } from '../../drizzle/tables/invitation-link.ts'
import { mailCodes } from '../../drizzle/tables/mail-codes.ts'
import { identities } from '../../drizzle/tables/providers.ts'
import { suspend, unsuspend } from '../../features/auth/suspension.ts'
import { withRetries } from '../../features/auth/user-deletion.ts'
import { requestCode } from '../../features/mail-codes/codes.ts'
import { recheckUser } from '../../plugins/live/index.ts'
import { call, createToken } from '../helpers/api.ts'
import { listen, startApp } from '../helpers/app.ts'
import { addPasskey, signInWith } from '../helpers/authenticator.ts'
import type { Browser } from '../helpers/browser.ts'
import { startIssuer } from '../helpers/issuer.ts'
import { untilAllTried } from '../helpers/jobs.ts'
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
import { withSecondFactor } from '../helpers/second-factor.ts'
import { startSmtp } from '../helpers/smtp.ts'
import { acme, beat, openStream } from '../helpers/sse.ts'

const [issuer, smtp] = [await startIssuer(t), await startSmtp(t)]
const { app, clock, db } = await startApp(t, { ...issuer.environment, ...smtp.environment })
await listen(app)
await app.jobs.startWorkers()

const suspendUser = (id: number) => withRetries(db, (tx) => suspend(app, tx, id, 'because'))
const unsuspendUser = (id: number) => db.transaction((tx) => unsuspend(app, tx, id))
const count = (id: number) => db.$count(sessions, eq(sessions.userId, id))

const suspended = { url: '/sign_in', flash: { alert: 'Your account is suspended' } }
const expired = { url: '/sign_in', flash: { alert: 'That code has expired. Ask for a new one' } }

/** A code by mail that this browser asked for, or nothing if none comes. */
async function codeFor(browser: Browser, email: string) {
  const before = smtp.mails.length
  await browser.submit('POST', '/sign_in/code', { email })
  await untilAllTried(db)
  const mail = smtp.mails.slice(before).find(({ subject }) => /^\d{8} is/.test(subject ?? ''))
  return mail?.subject?.slice(0, 8)
}

t.test('nobody who is suspended begins a session, whatever proves who they are', async (t) => {
  const someone = await withSecondFactor({ app, clock })
  const { user, person, recoveryCodes } = someone
  const { authenticator } = await addPasskey(someone.browser)
  const { browser: trusting } = await someone.halfway()
  await trusting.submit('POST', '/sign_in/verify', { code: await someone.code(), trust: true })
  clock.forward({ seconds: 30 })
  trusting.cookies.delete('session_token')
  const plain = await verifiedUp(app)
  for (const [subject, { id: userId }] of [
    ['two', user],
    ['one', plain.user],
  ] as const)
    await db.insert(identities).values({ userId, provider: 'oidc', issuer: issuer.url, subject })
  await suspendUser(user.id)
  await suspendUser(plain.user.id)
  const wrong = { alert: 'That email or password is incorrect' }
  t.same((await signedIn(app, { ...plain.person, password: 'a wrong password' })).page.flash, wrong)

  const ways: Record<string, () => Promise<unknown>> = {
    password: async () => (await signedIn(app, plain.person)).page,
    provider: async () => (await issuer.visit(await openGuest(app), { sub: 'one' })).page,
    passkey: async () => signInWith(await openGuest(app), authenticator),
    code: async () => (await someone.halfway()).submit(await someone.code()),
    'recovery code': async () => (await someone.halfway()).submit(recoveryCodes[0]),
    'trusted browser': async () => {
      await trusting.document('/sign_in')
      return trusting.submit('POST', '/sign_in', { email: person.email, password })
    },
    'provider and code': async () => {
      clock.forward({ seconds: 30 })
      const browser = await openGuest(app)
      const { page } = await issuer.visit(browser, { sub: 'two' })
      t.equal(page.component, 'auth/second-factor', 'only after the second step')
      return browser.submit('POST', '/sign_in/verify', { code: await someone.code() })
    },
    reset: async () => {
      const { flash } = await forgotten(app, plain.user.id, 'a fresh password')
      t.equal(flash?.notice, 'Your password was reset successfully. Please sign in')
      return (await signedIn(app, { ...plain.person, password: 'a fresh password' })).page
    },
  }
  for (const [name, way] of Object.entries(ways)) t.match(await way(), suspended, name)
  t.match(await (await someone.halfway()).submit(await someone.wrong()), {
    props: { errors: { code: ['is invalid'] } },
  })
  t.same([await count(user.id), await count(plain.user.id)], [0, 0])

  await unsuspendUser(user.id)
  const { component } = await (await someone.halfway()).submit(recoveryCodes[0])
  t.equal(component, 'accounts/show', 'which was not used up')
})

t.test('it ends everything through which they act, and what they sent, and nothing that is theirs', async (t) => {
  const { owner, join, path } = await startAcme(app)
  const someone = await join('owner')
  const { user, browser, person } = someone
  await verify(db, user.id)
  const token = await createToken(browser)
  const { link } = await invite(app, someone, path, 'friend@example.com')
  await browser.submit('POST', `${path}/invitation_link`)
  const kept = await invite(app, owner, path, 'another@example.com')
  const stream = await openStream(t, app, browser, [acme])
  await beat(browser, { tab_id: 'tab-1' })
  const guest = await openGuest(app)
  const code = await codeFor(guest, person.email)
  t.ok(code)
  const watching = await openStream(t, app, owner.browser, [acme])

  t.ok(await suspendUser(user.id))
  await stream.untilEnded()
  await watching.next(({ present }) => present?.length === 0)
  t.equal((await browser.visit('/settings/profile')).component, 'auth/sign-in')
  t.equal((await call(app, token, 'GET', '/me')).statusCode, 401)
  t.match(await guest.submit('POST', '/sign_in/code/verify', { code }), expired)
  t.equal(await codeFor(await openGuest(app), person.email), undefined, 'and no further one comes')
  t.equal((await guest.request('GET', link)).statusCode, 404)
  const pending = (await db.select().from(invitations)).map(({ id }) => id)
  t.same(pending, [kept.id])
  for (const table of [apiTokens, presences, invitationLinks]) t.equal(await db.$count(table), 0)
  t.equal(await db.$count(mailCodes, eq(mailCodes.userId, user.id)), 0)
  const told = (await owner.browser.visit(`${path}/activity`)).props.activities.map(
    ({ type }: { type: string }) => type,
  )
  t.same(told.slice(0, 2).toSorted(), ['invitation_link_removed', 'invitation_revoked'])
  t.match((await owner.browser.visit(`${path}/members`)).props.members[1], { user_id: user.id, role: 'owner' })

  t.notOk(await suspendUser(user.id), 'once')
  const types = (await typesOf(db, user.id)).filter((type) => type.endsWith('suspended'))
  t.same(types, ['suspended'])
  t.ok(await unsuspendUser(user.id))
  t.notOk(await unsuspendUser(user.id))
  t.same((await typesOf(db, user.id)).slice(-1), ['unsuspended'])
  const isMailed = (mail: unknown) => String(mail).endsWith('suspended')
  t.same((await mailsOf(db, user.id)).filter(isMailed), ['suspended', 'unsuspended'])
  t.equal((await signedIn(app, person)).page.component, 'accounts/show')
})

t.test('a pending sign-in is over', async (t) => {
  const someone = await withSecondFactor({ app, clock })
  const { submit } = await someone.halfway()
  await suspendUser(someone.user.id)
  await unsuspendUser(someone.user.id)
  t.match(await submit(await someone.code()), { url: '/sign_in', flash: { alert: 'Please sign in again' } })
})

t.test('a session or a token that another version makes for them opens nothing', async (t) => {
  const { user, browser } = await verifiedUp(app)
  const token = await createToken(browser)
  const stream = await openStream(t, app, browser, [])
  await db.update(users).set({ suspendedAt: clock.now() }).where(eq(users.id, user.id))
  t.equal((await browser.visit('/settings/profile')).component, 'auth/sign-in')
  t.equal((await browser.visit('/acme')).component, 'auth/sign-in')
  t.equal((await browser.request('POST', '/accounts', { body: { name: 'Mine' } })).headers.location, '/sign_in')
  t.equal((await call(app, token, 'GET', '/me')).statusCode, 401)
  await db.transaction((tx) => recheckUser(tx, user.id))
  await stream.untilEnded()
})

t.test('nobody takes the address: no claim, no link in a mail, no sweep', async (t) => {
  const squatter = await signedUp(app)
  const { email } = squatter.person
  const sid = await sidOf(app, 'not_mine', squatter.user.id)
  await suspendUser(squatter.user.id)
  const guest = await openGuest(app)
  t.match(await guest.visit(`/identity/not_mine?sid=${sid}`), { flash: { alert: 'That link is invalid' } })
  t.match(await guest.submit('POST', '/identity/not_mine', { sid }), { flash: { alert: 'That link is invalid' } })

  const { owner, path } = await startAcme(app)
  const { token } = await invite(app, owner, path, email)
  const claim = { name: 'Ana', email, password, password_confirmation: password, invitation: token }
  t.same((await guest.submit('POST', '/sign_up', claim)).props.errors, { email: ['has already been taken'] })
  const { page } = await issuer.visit(await openGuest(app), { sub: 'claims', email, email_verified: true })
  t.equal(page.props.taken, true)

  clock.forward({ minutes: 60 * 24 * 40 })
  await app.sweeper.sweep()
  t.match(await userRow(db, squatter.user.id), { email, verified: false })
})

t.test('an undone change of the address works, and lifts nothing', async (t) => {
  const someone = await verifiedUp(app)
  await changeEmail(someone, `new-${someone.person.email}`)
  const mail = await smtp.next('Your email has been changed')
  const sid = /email_change\?sid=([^\s"]+)/.exec(mail.text ?? '')?.[1] ?? ''
  await suspendUser(someone.user.id)
  const guest = await openGuest(app)
  const page = await guest.submit('POST', '/identity/email_change', { sid: decodeURIComponent(sid) })
  t.equal(page.flash?.notice, 'Your email has been restored. Choose a new password')
  t.match(await userRow(db, someone.user.id), { email: someone.person.email, suspensionReason: 'because' })
  await forgotten(app, someone.user.id)
  t.match((await signedIn(app, { ...someone.person, password: 'a fresh password' })).page, suspended)
})

t.test('a code whose mail is being written is void as well', async (t) => {
  const { user, person } = await verifiedUp(app)
  await suspendUser(user.id)
  const id = crypto.randomUUID()
  await requestCode(app, { id, email: person.email })
  await untilAllTried(db)
  t.match(await db.select().from(mailCodes).where(eq(mailCodes.id, id)), [{ digest: null }])
})
