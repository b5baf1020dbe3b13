import t, { type Test } from 'tap'
import { invitations } from '../../drizzle/schema.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { jobsIn, untilAllTried } from '../helpers/jobs.ts'
import { startAcme } from '../helpers/people.ts'
import { forgetMails } from '../helpers/records.ts'
import { linkIn, startSmtp } from '../helpers/smtp.ts'

async function startPosting(t: Test) {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  const { owner } = await startAcme(app)
  await forgetMails(db)
  const invite = () => owner.browser.submit('POST', '/acme/invitations', { email: 'new@example.com', role: 'admin' })
  const path = async () => {
    const [invitation] = (await owner.browser.visit('/acme/members')).props.invitations
    return `/acme/invitations/${invitation.id}`
  }
  const resend = async () => owner.browser.submit('POST', `${await path()}/resend`)
  const revoke = async () => owner.browser.submit('DELETE', await path())
  const open = async (link: string) => (await new Browser(app).send('GET', new URL(link).pathname)).statusCode
  return { smtp, app, db, owner, invite, resend, revoke, open }
}

t.test('the mail says who invites, to what, and until when, and contains no digest', async (t) => {
  const { smtp, app, db, owner, invite, open } = await startPosting(t)
  await invite()
  await app.jobs.work()
  const mail = await smtp.next()
  const subject = `${owner.person.name} invited you to Acme on Acme Accounts`
  t.match(mail, { subject, from: { address: 'accounts@acme.example' }, to: [{ address: 'new@example.com' }] })
  const [invitation] = await db.select().from(invitations)
  const day = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  const expires = `The invitation expires on ${invitation?.expiresAt.toLocaleDateString('en-US', day)}.`
  for (const part of [mail.text, mail.html])
    for (const words of [`${subject} as an admin.`, expires, linkIn(mail)]) t.match(part, words)
  t.ok(invitation?.tokenDigest)
  t.notMatch(mail.source, String(invitation?.tokenDigest))
  t.ok(linkIn(mail).startsWith('http://localhost:3000/invitations/'))
  t.equal(await open(linkIn(mail)), 200)
})

t.test('the mail of a revoked invitation is dropped', async (t) => {
  const { smtp, app, db, invite, revoke } = await startPosting(t)
  await invite()
  await revoke()
  await app.jobs.work()
  await untilAllTried(db)
  t.match(await jobsIn(db), [{ data: { job: 'account_invitation' }, state: 'completed', retry_count: 0 }])
  t.same(smtp.mails, [])
})

t.test('resending creates a new link and invalidates the old one', async (t) => {
  const { smtp, app, invite, resend, open } = await startPosting(t)
  await app.jobs.work()
  await invite()
  const older = linkIn(await smtp.next())
  await resend()
  const newer = linkIn(await smtp.next())
  t.not(newer, older)
  t.equal(await open(older), 404)
  t.equal(await open(newer), 200)
})
