import { desc, eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { emailChanges, invitations, users } from '../../drizzle/schema.ts'
import { sharedApp, startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { untilWaiting } from '../helpers/database.ts'
import { password, signedIn, signedUp, verifiedUp, verify } from '../helpers/people.ts'
import { forgetMails, queuedMails } from '../helpers/records.ts'
import { startSmtp } from '../helpers/smtp.ts'

const restored = { notice: 'Your email has been restored. Choose a new password' }
const invalid = { alert: 'That link is invalid' }

/** A thief with the password changes a verified address. `sid` is that of the mail to the old one. */
async function startStolen(t: Test) {
  const started = await sharedApp(t)
  const { app, db } = started
  const owner = await signedUp(app, { email: 'ana@example.com' })
  await verify(db, owner.user.id)
  const thief = await signedIn(app, owner.person)
  await forgetMails(db)
  const change = (email: string) =>
    thief.browser.submit('PATCH', '/settings/email', { email, password_challenge: password })
  const sidOfLatestMail = async () => {
    const [latest] = await db.select().from(emailChanges).orderBy(desc(emailChanges.id))
    return app.tokens.mint({ purpose: 'email_change', userId: owner.user.id, state: String(latest?.id) })
  }
  await change('thief@example.com')
  const sid = await sidOfLatestMail()
  const restore = async (browser?: Browser, given = sid) =>
    (browser ?? (await Browser.open(app))).submit('POST', '/identity/email_change', { sid: given })
  const read = async () => (await db.select().from(users).where(eq(users.id, owner.user.id)))[0]
  return { ...started, owner, thief, change, sidOfLatestMail, sid, restore, read }
}

t.test('the mail to the old address describes the change, and has the link', async (t) => {
  const smtp = await startSmtp(t)
  const { app } = await startApp(t, smtp.environment)
  const { browser } = await verifiedUp(app, { email: 'ana@example.com' })
  await browser.submit('PATCH', '/settings/email', { email: 'thief@example.com', password_challenge: password })
  await app.jobs.work()
  let mail = await smtp.next()
  while (mail.subject !== 'Your email has been changed') mail = await smtp.next()
  t.equal(mail.recipient, 'ana@example.com')
  t.match(mail.text, /^Time: .+ UTC\nDevice: .+\nIP address: [\d.]+$/m)
  const sid = /email_change\?sid=(\S+)/.exec(mail.text ?? '')?.[1]
  t.same((await (await Browser.open(app)).submit('POST', '/identity/email_change', { sid })).flash, restored)
})

t.test('the link restores the account', async (t) => {
  const { app, db, sid, owner, thief, restore, read } = await startStolen(t)
  const browser = new Browser(app)
  const { page } = await browser.document(`/identity/email_change?sid=${sid}`)
  t.equal(page.component, 'identity/email-change')
  t.match(page.props, { sid, email: 'ana@example.com', auth: { user: null } })
  t.match(await read(), { email: 'thief@example.com' }, 'looking changes nothing')

  await forgetMails(db)
  const after = await restore()
  t.equal(after.url, '/sign_in')
  t.same(after.flash, restored)
  t.match(await read(), { email: 'ana@example.com', verified: true })
  for (const { browser } of [owner, thief]) {
    t.equal((await browser.visit('/settings/profile')).component, 'auth/sign-in', 'every session has ended')
  }
  t.equal((await signedIn(app, owner.person)).page.component, 'auth/sign-in', 'the password is void')
  t.match(await queuedMails(db), [{ mail: 'password_reset', email: 'ana@example.com' }])
  t.same(await db.select().from(emailChanges), [])
})

t.test('a link works once, and only unaltered', async (t) => {
  const { restore, sid, app } = await startStolen(t)
  for (const bad of ['', 'x', `${sid}x`, sid.slice(0, -1), `${sid.split('.')[0]}`]) {
    const page = await restore(undefined, bad)
    t.equal(page.url, '/sign_in')
    t.same(page.flash, invalid, bad)
  }
  t.same((await restore()).flash, restored)
  t.same((await restore()).flash, invalid, 'used')
  const { page } = await new Browser(app).document(`/identity/email_change?sid=${sid}`)
  t.equal(page.component, 'auth/sign-in')
})

t.test('nothing the thief does beforehand keeps the link from being sent', async (t) => {
  const { app, db } = await sharedApp(t)
  const owner = await signedUp(app)
  await verify(db, owner.user.id)
  let thief = owner.browser
  for (let count = 0; count < 25; count++) thief = (await signedIn(app, owner.person)).browser
  await forgetMails(db)
  await thief.submit('PATCH', '/settings/email', { email: 'thief@example.com', password_challenge: password })
  t.match((await queuedMails(db)).map(({ mail }) => mail).sort(), ['email_changed', 'email_verification'])
})

t.test('a link lives for 72 hours', async (t) => {
  const { restore, clock } = await startStolen(t)
  clock.forward({ hours: 72 })
  t.same((await restore()).flash, invalid)
})

t.test('of many concurrent requests, one restores the address', async (t) => {
  const { app, restore } = await startStolen(t)
  const browsers = await Promise.all(Array.from({ length: 5 }, () => Browser.open(app)))
  const pages = await Promise.all(browsers.map((browser) => restore(browser)))
  t.equal(pages.filter(({ flash }) => flash?.notice).length, 1)
})

t.test('the link works whatever the thief does with the new address, and undoes later changes', async (t) => {
  const { db, owner, change, sidOfLatestMail, sid, restore, read } = await startStolen(t)
  await verify(db, owner.user.id)
  await change('second@example.com')
  const laterSid = await sidOfLatestMail()
  t.not(laterSid, sid)

  t.same((await restore()).flash, restored)
  t.match(await read(), { email: 'ana@example.com', verified: true })
  t.same((await restore(undefined, laterSid)).flash, invalid, 'the link of the later change died with it')
})

t.test('reset requests of strangers do not keep the mail that sets a new password', async (t) => {
  const { app, db, restore } = await startStolen(t)
  for (let count = 0; count < 12; count++) {
    const stranger = await Browser.open(app, { ip: `10.0.0.${count}` })
    await stranger.submit('POST', '/identity/password_reset', { email: 'ana@example.com' })
  }
  await forgetMails(db)
  await restore()
  t.match(await queuedMails(db), [{ mail: 'password_reset', email: 'ana@example.com' }])
})

t.test('a user who took the address without verifying it is deleted', async (t) => {
  const { app, db, restore, read } = await startStolen(t)
  const squatter = await signedUp(app, { email: 'ana@example.com' })
  const inviter = await signedUp(app)
  await inviter.browser.submit('POST', `/${inviter.slug}/invitations`, { email: 'ana@example.com', role: 'member' })
  t.same((await restore()).flash, restored)
  t.match(await read(), { email: 'ana@example.com', verified: true })
  t.same(await db.select().from(users).where(eq(users.id, squatter.user.id)), [])
  t.equal((await db.select().from(invitations)).length, 1, 'what was sent to the address is not theirs')
})

t.test('a user who has verified the address since keeps it', async (t) => {
  const { app, restore, sid, read } = await startStolen(t)
  await verifiedUp(app, { email: 'ana@example.com' })
  t.equal((await new Browser(app).visit(`/identity/email_change?sid=${sid}`)).component, 'auth/sign-in')
  t.same((await restore()).flash, invalid)
  t.match(await read(), { email: 'thief@example.com' })
})

/** Another verified user of the thief, who takes the freed address. */
async function startOccupied(t: Test) {
  const started = await startStolen(t)
  const other = await verifiedUp(started.app, { email: 'other@example.com' })
  await other.browser.submit('PATCH', '/settings/email', { email: 'ana@example.com', password_challenge: password })
  const readOther = async () => (await started.db.select().from(users).where(eq(users.id, other.user.id)))[0]
  return { ...started, other, readOther }
}

t.test('a person who verified another address before gets that one back', async (t) => {
  const { restore, read, readOther, db } = await startOccupied(t)
  t.same((await restore()).flash, restored)
  t.match(await read(), { email: 'ana@example.com', verified: true })
  t.match(await readOther(), { email: 'other@example.com', verified: true })
  t.match((await queuedMails(db)).flatMap(({ mail, email }) => (mail === 'password_reset' ? [email] : [])).sort(), [
    'ana@example.com',
    'other@example.com',
  ])
})

t.test('a browser that is signed in as another user stays signed in', async (t) => {
  const { app, restore, sid } = await startStolen(t)
  const { browser, user } = await signedUp(app)
  const { props } = await browser.visit(`/identity/email_change?sid=${sid}`)
  t.equal(props.auth.user.id, user.id, 'the page shows who they are')
  const page = await restore(browser)
  t.same(page.flash, restored)
  t.equal(page.props.auth.user.id, user.id)
})

t.test('two users who changed places get their addresses back', async (t) => {
  const swapped = await startOccupied(t)
  await swapped.change('other@example.com')
  t.match(await swapped.read(), { email: 'other@example.com' })
  t.same((await swapped.restore()).flash, restored)
  t.match(await swapped.read(), { email: 'ana@example.com', verified: true })
  t.match(await swapped.readOther(), { email: 'other@example.com', verified: true })
})

t.test('several users in a row get their addresses back', async (t) => {
  const chained = await startOccupied(t)
  const third = await verifiedUp(chained.app, { email: 'third@example.com' })
  const change = { email: 'other@example.com', password_challenge: password }
  await third.browser.submit('PATCH', '/settings/email', change)
  const fourth = await signedUp(chained.app, { email: 'third@example.com' })
  t.same((await chained.restore()).flash, restored)
  const rows = await chained.db.select().from(users).orderBy(users.id)
  t.same(
    rows.map(({ email, verified }) => [email, verified]),
    [
      ['ana@example.com', true],
      ['other@example.com', true],
      ['third@example.com', true],
    ],
    `and ${fourth.user.id} is gone`,
  )
})

t.test('a user whose earlier address somebody else has verified is deleted', async (t) => {
  const { app, restore, read, readOther } = await startOccupied(t)
  const heir = await verifiedUp(app, { email: 'other@example.com' })
  t.same((await restore()).flash, restored)
  t.match(await read(), { email: 'ana@example.com', verified: true })
  t.equal(await readOther(), undefined)
  t.equal((await heir.browser.visit('/settings/profile')).props.auth.user.email, 'other@example.com')
})

t.test('a concurrent sign-up with the address makes way', async (t) => {
  const { app, db, restore, read } = await startStolen(t)
  let outcome: ReturnType<typeof restore> | undefined
  await db.transaction(async (tx) => {
    await tx.insert(users).values({ name: 'Squatter', email: 'ana@example.com', passwordDigest: 'x' })
    outcome = restore(await Browser.open(app))
    await untilWaiting(db, outcome)
  })
  t.same((await outcome)?.flash, restored)
  t.match(await db.select().from(users), [{ email: 'ana@example.com', verified: true }])
  t.ok(await read())
})

t.test('a concurrent verification of the address keeps it', async (t) => {
  const { app, db, restore } = await startStolen(t)
  const squatter = await signedUp(app, { email: 'ana@example.com' })
  let refused: ReturnType<typeof restore> | undefined
  await db.transaction(async (tx) => {
    await tx.update(users).set({ verified: true }).where(eq(users.id, squatter.user.id))
    refused = restore()
    await untilWaiting(db, refused)
  })
  t.same((await refused)?.flash, invalid, 'who verifies it first keeps it')
})
