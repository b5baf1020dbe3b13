import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { emailChanges, invitations, users } from '../../drizzle/schema.ts'
import { sharedApp, startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { whileLocked } from '../helpers/database.ts'
import { startStolen } from '../helpers/endings.ts'
import { changeEmail, invite, prove, signedIn, signedUp, verifiedUp, verify } from '../helpers/people.ts'
import { forgetActivities, forgetMails, queuedMails, recorded } from '../helpers/records.ts'
import { startSmtp } from '../helpers/smtp.ts'

const restored = { notice: 'Your email has been restored. Choose a new password' }
const invalid = { alert: 'That link is invalid' }

t.test('the mail to the old address describes the change, and has the link', async (t) => {
  const smtp = await startSmtp(t)
  const { app } = await startApp(t, smtp.environment)
  await changeEmail(await verifiedUp(app, { email: 'ana@example.com' }), 'thief@example.com')
  await app.jobs.startWorkers()
  const mail = await smtp.next('Your email has been changed')
  t.equal(mail.recipient, 'ana@example.com')
  t.match(mail.text, /^Time: .+ UTC\nDevice: .+\nIP address: [\d.]+$/m)
  const sid = /email_change\?sid=(\S+)/.exec(mail.text ?? '')?.[1]
  t.same((await (await Browser.open(app)).submit('POST', '/identity/email_change', { sid })).flash, restored)
})

t.test('the link restores the account', async (t) => {
  const { app, db, sid, owner, thief, restore, open, addresses } = await startStolen(t)
  const page = await open()
  t.equal(page.component, 'identity/email-change')
  t.match(page.props, { sid, email: 'ana@example.com', auth: { user: null } })
  t.equal(await addresses(), 'thief?', 'looking changes nothing')

  for (let count = 0; count < 12; count++) {
    const stranger = await Browser.open(app, { ip: `10.0.0.${count}` })
    await stranger.submit('POST', '/identity/password_reset', { email: 'ana@example.com' })
  }
  await forgetMails(db)
  const after = await restore()
  t.equal(after.url, '/sign_in')
  t.same(after.flash, restored)
  t.equal(await addresses(), 'ana')
  for (const { browser } of [owner, thief])
    t.equal((await browser.visit('/settings/profile')).component, 'auth/sign-in', 'every session has ended')
  t.equal((await signedIn(app, owner.person)).page.component, 'auth/sign-in', 'the password is void')
  const [reset] = await queuedMails(db)
  t.match(reset, { mail: 'password_reset', email: 'ana@example.com' }, 'whatever strangers asked for before')
  t.same(await db.select().from(emailChanges), [])
})

t.test('a link works once, within 72 hours, and only unaltered', async (t) => {
  const { restore, sid, open, clock } = await startStolen(t)
  for (const bad of ['', 'x', `${sid}x`, sid.slice(0, -1), `${sid.split('.')[0]}`]) {
    const page = await restore(undefined, bad)
    t.equal(page.url, '/sign_in')
    t.same(page.flash, invalid, bad)
  }
  clock.forward({ hours: 72 })
  t.same((await restore()).flash, invalid, 'too late')
  clock.forward({ minutes: -5 })
  t.same((await restore()).flash, restored)
  t.same((await restore()).flash, invalid, 'used')
  t.equal((await open()).component, 'auth/sign-in')
})

t.test('with a new password, the link signs in at once, and no mail to choose one is sent', async (t) => {
  const { app, db, sid, owner, resets, addresses } = await startStolen(t)
  const browser = await Browser.open(app)
  const submit = (typed: object) => browser.submit('POST', '/identity/email_change', { sid, ...typed })
  const short = await submit({ password: 'short', password_confirmation: 'other' })
  t.match(short, { component: 'identity/email-change', props: { sid } }, 'where it can be corrected')
  t.same(Object.keys(short.props.errors), ['password', 'password_confirmation'])
  t.same(Object.keys((await submit({ password: '' })).props.errors), ['password'])
  t.equal(await addresses(), 'thief?', 'the link stays good')

  const fresh = { password: 'a fresh password', password_confirmation: 'a fresh password' }
  const page = await submit(fresh)
  t.match(page, { component: 'settings/activity', flash: { notice: 'Your account is yours again' } })
  t.equal(page.props.auth.user.id, owner.user.id)
  const since = page.props.activities.find(({ type }: { type: string }) => type === 'email_changed')?.details.since
  t.same([page.props.restored, page.props.filters.from], [{ since, ended: [] }, since.slice(0, 10)])
  t.equal(await resets(), '')
  t.equal(await addresses(), 'ana')
  t.match((await submit(fresh)).flash, invalid, 'used')
  const [user] = await db.select().from(users)
  t.equal(user?.provedEmail, 'ana@example.com')
  t.equal((await owner.browser.visit('/settings/profile')).component, 'auth/sign-in')
  const again = await signedIn(app, { email: 'ana@example.com', password: fresh.password })
  t.same(again.page.flash, { notice: 'Signed in successfully' })
})

t.test('of many concurrent requests, one restores the address', async (t) => {
  const { restore } = await startStolen(t)
  const pages = await Promise.all(Array.from({ length: 5 }, () => restore()))
  t.equal(pages.filter(({ flash }) => flash?.notice).length, 1)
})

t.test('nothing the thief does beforehand keeps the link from being sent', async (t) => {
  const { app, db } = await sharedApp(t)
  const owner = await verifiedUp(app)
  let thief = owner
  for (let count = 0; count < 25; count++) thief = { ...owner, ...(await signedIn(app, owner.person)) }
  await forgetMails(db)
  await changeEmail(thief, 'thief@example.com')
  t.same((await queuedMails(db)).map(({ mail }) => mail).sort(), ['email_changed', 'email_verification'])
})

t.test('the link works whatever the thief does with the new address, and undoes later changes', async (t) => {
  const { db, owner, thief, sidOfLatestMail, sid, restore, addresses } = await startStolen(t)
  await verify(db, owner.user.id)
  await changeEmail(thief, 'second@example.com')
  const laterSid = await sidOfLatestMail()
  t.not(laterSid, sid)
  t.same((await restore()).flash, restored)
  t.equal(await addresses(), 'ana')
  t.same((await restore(undefined, laterSid)).flash, invalid, 'the link of the later change died with it')
})

/** A thief with a workspace of the owner, who had invited somebody there before. */
async function startInviting(t: Test) {
  const started = await startStolen(t, async (app, owner) => {
    await invite(app, owner, `/${owner.slug}`, 'friend@example.com')
    await owner.browser.submit('POST', '/accounts', { name: 'Acme' })
  })
  const { db, owner, thief } = started
  await prove(db, owner.user.id)
  const bring = (slug: string) =>
    thief.browser.request('POST', `/${slug}/invitations`, { body: { email: 'thief-2@example.com', role: 'admin' } })
  const invited = async () => {
    const emails = await db.select({ email: invitations.email }).from(invitations)
    return emails.map(({ email }) => email)
  }
  return { ...started, bring, invited }
}

t.test('what the thief sent since is withdrawn', async (t) => {
  const { db, owner, bring, invited, restore } = await startInviting(t)
  await bring(owner.slug)
  t.same(await invited(), ['friend@example.com', 'thief-2@example.com'])
  await forgetActivities(db)
  t.same((await restore()).flash, restored)
  t.same(await invited(), ['friend@example.com'], 'what is older stays')
  const withdrawn = (await recorded(db)).filter(({ accountId }) => accountId !== null)
  const types = withdrawn.map(({ type, actorId, ipAddress }) => `${type} ${actorId} ${ipAddress}`)
  t.same(types, ['invitation_revoked null null'])
})

t.test('what the thief sends at the same moment is withdrawn, too', async (t) => {
  const { owner, bring, invited, restore } = await startInviting(t)
  await Promise.all([bring('acme'), restore(), bring(owner.slug)])
  t.same(await invited(), ['friend@example.com'])
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

/** Who takes which address, and later which other one; then who gets one back, and all addresses. */
const cases: Record<string, [steps: string[], back: string, addresses: string]> = {
  'a user who took it without verifying it is deleted': [['new ana'], 'ana', 'ana'],
  'a user who has verified it since keeps it': [['verified ana'], '', 'thief? ana'],
  'a person who verified another one before gets that back': [['verified other ana'], 'ana other', 'ana other'],
  'two users who changed places get theirs back': [['verified other ana', 'thief - other'], 'ana other', 'ana other'],
  'several users in a row get theirs back, and one who verified none is gone': [
    ['verified other ana', 'verified third other', 'new third'],
    'ana other third',
    'ana other third',
  ],
  'a user whose earlier one somebody else has verified is deleted': [
    ['verified other ana', 'verified other'],
    'ana',
    'ana other',
  ],
}
for (const [title, [steps, back, expected]] of Object.entries(cases)) {
  t.test(`when the address is taken: ${title}`, async (t) => {
    const { app, thief, restore, addresses, resets } = await startStolen(t)
    for (const [who, address, later] of steps.map((step) => step.split(' '))) {
      const signUp = who === 'verified' ? verifiedUp : signedUp
      const someone = who === 'thief' ? thief : await signUp(app, { email: `${address}@example.com` })
      if (later) await changeEmail(someone, `${later}@example.com`)
    }
    t.same((await restore()).flash, back ? restored : invalid)
    t.equal(await resets(), back)
    t.equal(await addresses(), expected)
  })
}

t.test('a concurrent sign-up with the address makes way, but not what was sent to it', async (t) => {
  const { app, db, restore, addresses } = await startStolen(t)
  const inviter = await signedUp(app, { email: 'inviter@example.com' })
  await invite(app, inviter, `/${inviter.slug}`, 'ana@example.com')
  const signUp = sql`insert into users (name, email) values ('Squatter', 'ana@example.com')`
  const page = await whileLocked(db, signUp, () => restore())
  t.same(page.flash, restored)
  t.equal(await addresses(), 'ana inviter?')
  t.equal(await db.$count(invitations), 1)
})

t.test('a concurrent verification of the address keeps it', async (t) => {
  const { app, db, restore, open } = await startStolen(t)
  const { user } = await signedUp(app, { email: 'ana@example.com' })
  const verified = sql`update users set verified = true where id = ${user.id}`
  const page = await whileLocked(db, verified, () => restore())
  t.same(page.flash, invalid, 'who verifies it first keeps it')
  t.equal((await open()).component, 'auth/sign-in')
})
