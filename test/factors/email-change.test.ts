import t from 'tap'
import { identities, passkeys, recoveryCodes, sessions, users } from '../../drizzle/schema.ts'
import { startApp } from '../helpers/app.ts'
import { register } from '../helpers/authenticator.ts'
import { Browser } from '../helpers/browser.ts'
import { password, signedIn, verifiedUp } from '../helpers/people.ts'
import { enable } from '../helpers/second-factors.ts'
import { startSmtp } from '../helpers/smtp.ts'

t.test('restoring an email removes every other sign-in method, even older ones', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db, clock } = await startApp(t, smtp.environment)
  const owner = await verifiedUp(app, { email: 'ana@example.com' })
  const thief = (await signedIn(app, owner.person)).browser
  await register(thief)
  await enable(thief, { clock })
  await db.insert(identities).values({ userId: owner.user.id, provider: 'oidc', issuer: 'x', subject: 'thief' })
  clock.forward({ minutes: 5 })
  await thief.submit('PATCH', '/settings/email', { email: 'thief@example.com', password_challenge: password })
  const added = [passkeys, recoveryCodes, identities, sessions]
  for (const table of added) t.not(await db.$count(table), 0)

  await app.jobs.work()
  let sid: string | undefined
  while (!sid) sid = /email_change\?sid=(\S+)/.exec((await smtp.next()).text ?? '')?.[1]
  const page = await (await Browser.open(app)).submit('POST', '/identity/email_change', { sid })
  t.same(page.flash, { notice: 'Your email has been restored. Choose a new password' })
  for (const table of added) t.equal(await db.$count(table), 0)
  t.match(await db.select().from(users), [{ email: 'ana@example.com', secondFactorAt: null }])
})
