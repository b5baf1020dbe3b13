import { eq } from 'drizzle-orm'
import t from 'tap'
import { invitations, rateLimits, users } from '../../drizzle/schema.ts'
import { sharedApp, startApp } from '../helpers/app.ts'
import { register } from '../helpers/authenticator.ts'
import { queuedMails } from '../helpers/mails.ts'
import { password, signedUp } from '../helpers/people.ts'
import { codeAt, halfway, start } from '../helpers/second-factors.ts'
import { startSmtp } from '../helpers/smtp.ts'

const stranger = { email: 'stranger@example.com', role: 'member' }
const spent = { email: ["can't be invited again today"] }

const ofKind = (mails: Record<string, unknown>[], mail: string) => mails.filter((queued) => queued.mail === mail)

t.test('one user with many accounts sends a stranger five mails, and ten in all', async (t) => {
  const { app, db } = await sharedApp(t)
  const { browser } = await signedUp(app)
  const slugs: string[] = []
  for (let count = 0; count < 12; count++) {
    slugs.push((await browser.submit('POST', '/accounts', { name: 'Acme' })).props.account.slug)
  }
  for (const slug of slugs) await browser.submit('POST', `/${slug}/invitations`, stranger)
  t.equal(ofKind(await queuedMails(db), 'account_invitation').length, 5)
  t.equal((await db.select().from(invitations)).length, 5, 'and what was refused is not there')

  for (const slug of slugs)
    await browser.submit('POST', `/${slug}/invitations`, { ...stranger, email: `${slug}@example.com` })
  t.equal(ofKind(await queuedMails(db), 'account_invitation').length, 10)
})

t.test('whoever has verified their address may send more', async (t) => {
  const { app, db } = await sharedApp(t)
  const { browser, slug, user } = await signedUp(app)
  await db.update(users).set({ verified: true }).where(eq(users.id, user.id))
  const { props } = await browser.submit('POST', '/accounts', { name: 'Acme' })
  for (let count = 0; count < 11; count++) {
    const from = count % 2 ? slug : props.account.slug
    await browser.submit('POST', `/${from}/invitations`, { ...stranger, email: `stranger-${count}@example.com` })
  }
  t.equal(ofKind(await queuedMails(db), 'account_invitation').length, 11)
})

t.test('many accounts at once do not send a stranger more mails', async (t) => {
  const { app, db } = await sharedApp(t)
  const people = []
  for (let count = 0; count < 8; count++) people.push(await signedUp(app))
  const pages = await Promise.all(
    people.map(({ browser, slug }) => browser.submit('POST', `/${slug}/invitations`, stranger)),
  )
  t.equal(ofKind(await queuedMails(db), 'account_invitation').length, 5)
  t.equal(pages.filter(({ props }) => props.errors.email?.[0] === spent.email[0]).length, 3)
})

t.test('resending counts like sending', async (t) => {
  const { app, db } = await sharedApp(t)
  const { browser, slug } = await signedUp(app)
  await browser.submit('POST', `/${slug}/invitations`, stranger)
  const [invitation] = await db.select().from(invitations)
  const again = () => browser.submit('POST', `/${slug}/invitations/${invitation?.id}/resend`)
  for (let count = 0; count < 4; count++) t.match((await again()).flash, { notice: /Invitation sent/ })
  t.same((await again()).props.errors, spent)
  t.equal(ofKind(await queuedMails(db), 'account_invitation').length, 5)
})

t.test('a rejected invitation does not count', async (t) => {
  const { app, db } = await sharedApp(t)
  const { browser, slug } = await signedUp(app)
  await browser.submit('POST', `/${slug}/invitations`, stranger)
  const counts = await db.select().from(rateLimits).orderBy(rateLimits.key)
  await browser.submit('POST', `/${slug}/invitations`, stranger)
  const after = await db.select().from(rateLimits).orderBy(rateLimits.key)
  const mails = (rows: typeof counts) => rows.filter(({ key }) => /^invitation_(mail|sent)/.test(key))
  t.same(mails(after), mails(counts))
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
  t.equal((await smtp.next()).subject, `${'n'.repeat(60)} invited you to Acme on Acme Accounts`)
})

t.test('the eleventh reset mail to an address is not sent, but the response is the usual one', async (t) => {
  const { app, db } = await sharedApp(t)
  const { person, browser } = await signedUp(app)
  await db.update(users).set({ verified: true })
  const answers = []
  for (const email of [person.email, 'nobody@example.com']) {
    for (let count = 0; count < 11; count++) {
      const headers = { 'x-forwarded-for': `10.5.0.${answers.length}` }
      const { statusCode, headers: sent } = await browser.request('POST', '/identity/password_reset', {
        body: { email },
        headers,
      })
      answers.push([statusCode, sent.location, sent['retry-after']])
    }
  }
  t.same(answers, Array(22).fill([302, '/sign_in', undefined]))
  const resets = ofKind(await queuedMails(db), 'password_reset')
  for (const email of [person.email, 'nobody@example.com']) {
    t.equal(resets.filter((mail) => mail.email === email).length, 10, email)
  }
})

t.test(
  'spellings of an address share the mails of their mailbox, and are addresses of their own otherwise',
  async (t) => {
    const { app, db } = await sharedApp(t)
    const { browser, slug } = await signedUp(app)
    const invited = []
    for (let count = 0; count < 6; count++) {
      const body = { ...stranger, email: `stranger+${count}@example.com` }
      invited.push((await browser.submit('POST', `/${slug}/invitations`, body)).props.errors?.email)
    }
    t.same(invited, [...Array(5).fill(undefined), spent.email])

    for (let count = 0; count < 12; count++) {
      const headers = { 'x-forwarded-for': `10.6.0.${count}` }
      await browser.request('POST', '/identity/password_reset', {
        body: { email: `ana+${count}@example.com` },
        headers,
      })
      await signedUp(app, { email: `ben+${count}@example.com` })
      const dotted = ['c', 'l', 'e', 'o', 's'].map((letter, n) => (count & (1 << n) ? `${letter}.` : letter)).join('')
      await signedUp(app, { email: `${dotted}mail@gmail.com` })
    }
    const mails = await queuedMails(db)
    t.equal(ofKind(mails, 'password_reset').length, 10)
    t.equal((await db.select().from(users)).length, 25, 'each is somebody')
    t.equal(
      ofKind(mails, 'email_verification').length,
      21,
      'the mailbox of all got ten, one at Gmail as well, and the inviter one',
    )
  },
)

t.test('a stranger whose address somebody signed up with is told of nothing that happens there', async (t) => {
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
  t.same(
    (await queuedMails(db)).map(({ mail }) => mail),
    ['email_verification', 'email_verification'],
  )
})

const evil = 'Prizes at www.evil.example'

t.test('no mail of any kind has a name that looks like a link', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db, clock } = await startApp(t, smtp.environment)
  const { browser, person } = await signedUp(app, { name: evil })
  await db.update(users).set({ verified: true })
  const challenge = { password_challenge: password }
  const [{ id }] = (await register(browser, undefined, undefined, { name: evil })).props.passkeys
  await register(browser, undefined, undefined, { name: evil })
  await browser.submit('DELETE', `/settings/passkeys/${id}`, challenge)
  const { secret } = await start(browser)
  const { flash } = await browser.submit('PATCH', '/settings/second_factor', {
    code: await codeAt(secret, clock.now()),
  })
  const [code] = (flash?.recovery_codes ?? []) as string[]
  const guest = await halfway(app, person)
  guest.browser.headers['user-agent'] = 'http://www.evil.example/prizes Chrome/140'
  await guest.submit(code)
  await browser.submit('DELETE', '/settings/second_factor', challenge)
  const { props } = await browser.submit('POST', '/accounts', { name: evil })
  await browser.submit('POST', `/${props.account.slug}/invitations`, stranger)
  await browser.submit('POST', '/identity/password_reset', { email: person.email })
  const fresh = { password: 'a fresh new password', password_confirmation: 'a fresh new password' }
  await browser.submit('PATCH', '/settings/password', { ...fresh, ...challenge })
  await app.jobs.work()
  const kinds = [
    ['Verify your email', 0],
    ['Reset your password', 1],
    ['Somebody invited you to a workspace on Acme Accounts', 1],
    ['A passkey was added', 2],
    ['A passkey was removed', 1],
    ['Two-factor authentication is on', 1],
    ['Two-factor authentication is off', 1],
    ['A recovery code was used', 1],
    ['New sign-in to Acme Accounts', 1],
    ['Your password has been changed', 1],
  ] as const
  while (smtp.mails.length < kinds.reduce((sum, [, count]) => sum + count, 0)) await smtp.next()
  await browser.submit('PATCH', '/settings/email', { email: 'new@example.com', password_challenge: fresh.password })
  await Promise.all([smtp.next(), smtp.next()])
  t.same(
    smtp.mails.map(({ subject }) => subject).toSorted(),
    [
      ...kinds.flatMap(([subject, count]) => Array(count).fill(subject)),
      'Your email has been changed',
      'Verify your email',
    ].toSorted(),
  )
  for (const { subject, text, html, source } of smtp.mails) {
    for (const part of [subject, text, html, source]) t.notMatch(part, /evil|prizes/i, `${subject}`)
  }
})
