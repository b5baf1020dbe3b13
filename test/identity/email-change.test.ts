import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { emailChanges, users } from '../../drizzle/schema.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { forgetMails, queuedMails } from '../helpers/mails.ts'
import { password, signedIn, signedUp, verify } from '../helpers/people.ts'
import { startSmtp } from '../helpers/smtp.ts'

const restored = { notice: 'Your email has been restored. Choose a new password' }
const invalid = { alert: 'That link is invalid' }

/** A thief with the password changes a verified address. `sid` is that of the mail to the old one. */
async function startStolen(t: Test) {
  const smtp = await startSmtp(t)
  const started = await startApp(t, smtp.environment)
  const { app, db } = started
  const owner = await signedUp(app, { email: 'ana@example.com' })
  await verify(db, owner.user.id)
  const thief = await signedIn(app, owner.person)
  await forgetMails(db)
  const change = (email: string) =>
    thief.browser.submit('PATCH', '/settings/email', { email, password_challenge: password })
  await change('thief@example.com')
  await app.jobs.work()
  const sent = [await smtp.next(), await smtp.next()]
  const mail = sent.find(({ recipient }) => recipient === 'ana@example.com')
  const sid = /email_change\?sid=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
  const restore = async (browser?: Browser, given = sid) =>
    (browser ?? (await Browser.open(app))).submit('POST', '/identity/email_change', { sid: given })
  const read = async () => (await db.select().from(users).where(eq(users.id, owner.user.id)))[0]
  return { ...started, smtp, owner, thief, change, mail, sid, restore, read }
}

t.test('the mail to the old address names the facts, and its link gives the account back', async (t) => {
  const { app, db, mail, sid, owner, thief, restore, read } = await startStolen(t)
  t.equal(mail?.subject, 'Your email has been changed')
  t.match(mail?.text, /^Time: .+ UTC\nDevice: .+\nIP address: [\d.]+$/m)

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

t.test('a link works once, and only while it is what was mailed', async (t) => {
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

t.test('nothing that the thief does before keeps the link from being sent', async (t) => {
  const { app, db } = await startApp(t)
  const owner = await signedUp(app)
  await verify(db, owner.user.id)
  let thief = owner.browser
  for (let count = 0; count < 25; count++) thief = (await signedIn(app, owner.person)).browser
  await forgetMails(db)
  await thief.submit('PATCH', '/settings/email', { email: 'thief@example.com', password_challenge: password })
  t.match((await queuedMails(db)).map(({ mail }) => mail).sort(), ['email_changed', 'email_verification'])
})

t.test('it lives for 72 hours', async (t) => {
  const { restore, clock } = await startStolen(t)
  clock.forward({ hours: 72 })
  t.same((await restore()).flash, invalid)
})

t.test('of many at once, one restores', async (t) => {
  const { app, restore } = await startStolen(t)
  const browsers = await Promise.all(Array.from({ length: 5 }, () => Browser.open(app)))
  const pages = await Promise.all(browsers.map((browser) => restore(browser)))
  t.equal(pages.filter(({ flash }) => flash?.notice).length, 1)
})

t.test('whatever the thief does with the new address, the link still works, and undoes later changes', async (t) => {
  const { db, smtp, owner, change, restore, read } = await startStolen(t)
  await verify(db, owner.user.id)
  await change('second@example.com')
  let later = await smtp.next()
  while (later.recipient !== 'thief@example.com' || later.subject !== 'Your email has been changed') {
    later = await smtp.next()
  }
  const laterSid = /email_change\?sid=(\S+)/.exec(later.text ?? '')?.[1] ?? ''

  t.same((await restore()).flash, restored)
  t.match(await read(), { email: 'ana@example.com', verified: true })
  t.same((await restore(undefined, laterSid)).flash, invalid, 'the link of the later change died with it')
})

t.test('a reset keeps what was added since the old address was verified', async (t) => {
  const { db, read, owner, restore } = await startStolen(t)
  const before = await read()
  await db.update(users).set({ verified: true, verifiedAt: new Date(Date.now() + 60_000) })
  await restore()
  t.same((await read())?.verifiedAt, before?.verifiedAt, `of ${owner.user.email}`)
})

t.test('an address that is taken meanwhile stays with whoever has it', async (t) => {
  const { app, restore, read } = await startStolen(t)
  await signedUp(app, { email: 'ana@example.com' })
  t.same((await restore()).flash, invalid)
  t.match(await read(), { email: 'thief@example.com' })
})

t.test('who is signed in as somebody else stays so', async (t) => {
  const { app, restore, sid } = await startStolen(t)
  const { browser, user } = await signedUp(app)
  const { props } = await browser.visit(`/identity/email_change?sid=${sid}`)
  t.equal(props.auth.user.id, user.id, 'the page shows who they are')
  const page = await restore(browser)
  t.same(page.flash, restored)
  t.equal(page.props.auth.user.id, user.id)
})
