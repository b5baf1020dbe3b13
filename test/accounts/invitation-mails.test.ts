import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { invitations, users } from '../../drizzle/schema.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { jobsIn, untilAllTried } from '../helpers/jobs.ts'
import { sharedPerson, signedUp, startAcme, tokenOf } from '../helpers/people.ts'
import { forgetMails, queuedMails } from '../helpers/records.ts'
import { linkIn, startSmtp } from '../helpers/smtp.ts'

const stranger = { email: 'stranger@example.com', role: 'admin' }

async function startPosting(t: Test) {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  const { owner } = await startAcme(app)
  await forgetMails(db)
  await owner.browser.submit('POST', '/acme/invitations', stranger)
  return { smtp, app, db, owner }
}

t.test('the mail says who invites, to what, and until when, and contains no digest', async (t) => {
  const { smtp, app, db, owner } = await startPosting(t)
  await app.jobs.startWorkers()
  const mail = await smtp.next()
  const subject = `${owner.person.name} invited you to Acme on Acme Accounts`
  t.match(mail, { subject, from: { address: 'accounts@acme.example' }, to: [{ address: stranger.email }] })
  const [invitation] = await db.select().from(invitations)
  const day = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  const expires = `The invitation expires on ${invitation?.expiresAt.toLocaleDateString('en-US', day)}.`
  for (const part of [mail.text, mail.html])
    for (const words of [`${subject} as an admin.`, expires, linkIn(mail)]) t.match(part, words)
  t.ok(invitation?.tokenDigest)
  t.notMatch(mail.source, String(invitation?.tokenDigest))
  const token = await tokenOf(app, invitation?.id ?? 0)
  t.equal(linkIn(mail), `http://localhost:3000/invitations/${token}`, 'the same at every attempt')
  t.equal((await new Browser(app).send('GET', new URL(linkIn(mail)).pathname)).statusCode, 200)
})

t.test('the mail of a revoked invitation is dropped', async (t) => {
  const { smtp, app, db, owner } = await startPosting(t)
  const [invitation] = (await owner.browser.visit('/acme/members')).props.invitations
  await owner.browser.submit('DELETE', `/acme/invitations/${invitation.id}`)
  await app.jobs.startWorkers()
  await untilAllTried(db)
  const jobs = (await jobsIn(db)).map(({ data, state, retry_count }) => [data.job, state, retry_count])
  t.same(jobs, [['account_invitation', 'completed', 0]])
  t.same(smtp.mails, [])
})

t.test('a name that looks like a link is left out of mails to others', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  await app.jobs.startWorkers()
  const { browser, user, slug } = await signedUp(app, { name: 'Prizes at www.evil.example' })
  const verification = await smtp.next()
  await db.update(users).set({ verified: true }).where(eq(users.id, user.id))
  await browser.submit('POST', `/${slug}/invitations`, { ...stranger, role: 'member' })
  const invitation = await smtp.next()
  const subject = 'Somebody invited you to a workspace on Acme Accounts'
  t.equal(invitation.subject, subject)
  for (const part of [verification.text, verification.html]) t.match(part, 'Hello,')
  for (const part of [invitation.text, invitation.html])
    for (const words of [`${subject} as a member.`, 'Join a workspace']) t.match(part, words)
  for (const { text, html } of [verification, invitation]) t.notMatch(`${text} ${html}`, 'evil')
})

t.test('resending counts like sending', async (t) => {
  const { db, browser, slug } = await sharedPerson(t)
  await browser.submit('POST', `/${slug}/invitations`, stranger)
  const [invitation] = await db.select().from(invitations)
  const again = () => browser.submit('POST', `/${slug}/invitations/${invitation?.id}/resend`)
  for (let count = 0; count < 4; count++) t.match((await again()).flash, { notice: /Invitation sent/ })
  t.same((await again()).props.errors, { email: ["can't be invited again today"] })
  t.equal((await queuedMails(db)).filter(({ mail }) => mail === 'account_invitation').length, 5)
})
