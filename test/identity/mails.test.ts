import t, { type Test } from 'tap'
import { users } from '../../drizzle/schema.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { jobsIn, untilAllTried } from '../helpers/jobs.ts'
import { password, signedUp, verify } from '../helpers/people.ts'
import { forgetMails } from '../helpers/records.ts'
import { linkIn, type Received, startSmtp } from '../helpers/smtp.ts'

const origin = 'http://localhost:3000'
const evil = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }

async function startMailing(t: Test) {
  const smtp = await startSmtp(t)
  const started = await startApp(t, smtp.environment)
  const someone = await signedUp(started.app)
  return { smtp, ...started, ...someone }
}

/** The path of the link in a mail, which both parts contain, as they do all of these words. */
function checkMail(t: Test, mail: Received, subject: string, path: string, words: string[]) {
  t.match(mail, { from: { name: 'Acme Accounts', address: 'accounts@acme.example' } })
  t.equal(mail.subject, subject)
  const link = linkIn(mail)
  t.ok(link.startsWith(`${origin}${path}?sid=`), link)
  for (const part of [mail.text, mail.html]) for (const word of [...words, link]) t.match(part, word)
  t.notMatch(mail.source, 'evil.example')
  return link.slice(origin.length)
}

t.test('the mail of a sign-up goes to the present address, which its link verifies', async (t) => {
  const { smtp, app, db, browser, person } = await startMailing(t)
  await forgetMails(db)
  await browser.submit('POST', '/identity/email_verification', {}, evil)
  await db.update(users).set({ email: 'present@example.com' })
  await app.jobs.startWorkers()
  const mail = await smtp.next()
  t.same(mail.to, [{ name: '', address: 'present@example.com' }])
  const link = checkMail(t, mail, 'Verify your email', '/identity/email_verification', [
    `Hello ${person.name},`,
    'Please verify that present@example.com is your email address',
    'The link works once and expires after two days.',
  ])
  t.equal((await browser.visit(link)).props.auth.user.verified, true)
})

t.test('only a verified address gets the mail of a reset, with a link that lives from its delivery on', async (t) => {
  const { smtp, app, db, clock, person, user } = await startMailing(t)
  const unverified = await signedUp(app)
  await verify(db, user.id)
  await forgetMails(db)
  const browser = await Browser.open(app)
  for (const email of [unverified.person.email, 'nobody@example.com', person.email])
    await browser.submit('POST', '/identity/password_reset', { email }, evil)
  clock.forward({ minutes: 25 })
  await app.jobs.startWorkers()
  await untilAllTried(db)
  t.equal(smtp.mails.length, 1)
  const mail = await smtp.next()
  t.same(mail.to, [{ name: '', address: person.email }])
  const link = checkMail(t, mail, 'Reset your password', '/identity/password_reset/edit', [
    `Hello ${person.name},`,
    'Someone, hopefully you, asked to reset your Acme Accounts password.',
    'The link works once and expires after 20 minutes.',
  ])
  const { component, props } = await browser.visit(link)
  t.same([component, props.email], ['identity/password-reset/edit', person.email])
})

t.test('a mail for a user who was deleted is dropped, not tried again', async (t) => {
  const { smtp, app, db, browser } = await startMailing(t)
  await browser.submit('DELETE', '/users', { password_challenge: password })
  await app.jobs.startWorkers()
  await untilAllTried(db)
  const jobs = (await jobsIn(db)).map(({ data, state, retry_count }) => [data.job, state, retry_count])
  t.same(jobs, [['email_verification', 'completed', 0]])
  t.same(smtp.mails, [])
})
