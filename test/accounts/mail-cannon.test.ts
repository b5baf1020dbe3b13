import { eq } from 'drizzle-orm'
import t from 'tap'
import { invitations, users } from '../../drizzle/schema.ts'
import { sharedApp, startApp } from '../helpers/app.ts'
import { sharedPerson, signedUp } from '../helpers/people.ts'
import { queuedMails } from '../helpers/records.ts'
import { startSmtp } from '../helpers/smtp.ts'

const stranger = { email: 'stranger@example.com', role: 'member' }
const spent = { email: ["can't be invited again today"] }

const ofKind = (mails: Record<string, unknown>[], mail: string) => mails.filter((queued) => queued.mail === mail)

t.test('resending counts like sending', async (t) => {
  const { db, browser, slug } = await sharedPerson(t)
  await browser.submit('POST', `/${slug}/invitations`, stranger)
  const [invitation] = await db.select().from(invitations)
  const again = () => browser.submit('POST', `/${slug}/invitations/${invitation?.id}/resend`)
  for (let count = 0; count < 4; count++) t.match((await again()).flash, { notice: /Invitation sent/ })
  t.same((await again()).props.errors, spent)
  t.equal(ofKind(await queuedMails(db), 'account_invitation').length, 5)
})

t.test('a name that looks like a link is left out of mails to others', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  await app.jobs.work()
  const { browser, user, slug } = await signedUp(app, { name: 'Prizes at www.evil.example' })

  const verification = await smtp.next()
  for (const part of [verification.text, verification.html]) {
    t.match(part, 'Hello,')
    t.notMatch(part, 'evil')
  }
  await db.update(users).set({ verified: true }).where(eq(users.id, user.id))
  await browser.submit('POST', `/${slug}/invitations`, stranger)
  const invitation = await smtp.next()
  t.equal(invitation.subject, 'Somebody invited you to a workspace on Acme Accounts')
  for (const part of [invitation.text, invitation.html]) {
    t.match(part, 'Somebody invited you to a workspace on Acme Accounts as a member.')
    t.match(part, 'Join a workspace')
    t.notMatch(part, 'evil')
  }
})

t.test('a long name is truncated in mails to others', async (t) => {
  const smtp = await startSmtp(t)
  const { app } = await startApp(t, smtp.environment)
  await app.jobs.work()
  const { browser } = await signedUp(app, { name: 'n'.repeat(255) })
  await smtp.next()
  const { props } = await browser.submit('POST', '/accounts', { name: 'Acme' })
  await browser.submit('POST', `/${props.account.slug}/invitations`, stranger)
  t.equal((await smtp.next()).subject, `${'n'.repeat(60)}… invited you to Acme on Acme Accounts`)
})

t.test('an unverified address gets no notices about the account that uses it', async (t) => {
  const { app, db } = await sharedApp(t)
  const name = 'customer! Unlock it now: https://evil.example'
  const { browser, person } = await signedUp(app, { name, email: stranger.email })
  let secret: string = person.password
  for (let count = 0; count < 25; count++) {
    const headers = { 'x-forwarded-for': `10.7.0.${count}` }
    const [before, next] = [secret, `a fresh new password ${count}`]
    const body = { password: next, password_confirmation: next, password_challenge: before }
    t.same((await browser.submit('PATCH', '/settings/password', body, headers)).props.errors, {})
    secret = next
  }
  await browser.submit('PATCH', '/settings/email', { email: 'other@example.com', password_challenge: secret })
  const mails = (await queuedMails(db)).map(({ mail }) => mail)
  t.same(mails, ['email_verification', 'email_verification'])
})
