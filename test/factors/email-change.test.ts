import t from 'tap'
import { passkeys } from '../../drizzle/schema.ts'
import { startApp } from '../helpers/app.ts'
import { register } from '../helpers/authenticator.ts'
import { Browser } from '../helpers/browser.ts'
import { password, signedIn, signedUp, verify } from '../helpers/people.ts'
import { startSmtp } from '../helpers/smtp.ts'

t.test('whoever takes their email back keeps what they had added before, and nothing that came since', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  const owner = await signedUp(app, { email: 'ana@example.com' })
  await verify(db, owner.user.id)
  await register(owner.browser)
  const [kept] = await db.select().from(passkeys)

  const thief = await signedIn(app, owner.person)
  await thief.browser.submit('PATCH', '/settings/email', { email: 'thief@example.com', password_challenge: password })
  await verify(db, owner.user.id)
  await register(thief.browser)
  t.equal((await db.select().from(passkeys)).length, 2)

  await app.jobs.work()
  let sid: string | undefined
  while (!sid) sid = /email_change\?sid=(\S+)/.exec((await smtp.next()).text ?? '')?.[1]
  const page = await (await Browser.open(app)).submit('POST', '/identity/email_change', { sid })
  t.same(page.flash, { notice: 'Your email has been restored. Choose a new password' })
  t.same(await db.select().from(passkeys), [kept])
})
