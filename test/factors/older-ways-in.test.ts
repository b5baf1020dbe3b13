import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { identities, passkeys, recoveryCodes, users } from '../../drizzle/schema.ts'
import { startApp } from '../helpers/app.ts'
import { Authenticator, register, signInWith } from '../helpers/authenticator.ts'
import { Browser } from '../helpers/browser.ts'
import { forgotten, password, sidOf, signedIn, signedUp, userRow } from '../helpers/people.ts'
import { forgetMails, recorded } from '../helpers/records.ts'
import { enable } from '../helpers/second-factors.ts'
import { startSmtp } from '../helpers/smtp.ts'

const fresh = 'a fresh new password'

/** A person with a passkey and a second factor, who verified their address before or after adding them. */
async function startWithWaysIn(t: Test) {
  const smtp = await startSmtp(t)
  const started = await startApp(t, smtp.environment)
  const { app, db, clock } = started
  const someone = await signedUp(app)
  const mine = eq(users.id, someone.user.id)
  const { id } = someone.user
  const read = () => userRow(db, id)
  const verify = async () =>
    new Browser(app).visit(`/identity/email_verification?sid=${await sidOf(app, 'email_verification', id)}`)
  const authenticator = new Authenticator()
  const add = async () => {
    await register(someone.browser, authenticator, undefined, { name: 'Blue key' })
    await enable(someone.browser, { clock })
    const connected = { provider: 'oidc', issuer: 'x', subject: 'ana', createdAt: clock.now() }
    await db.insert(identities).values({ userId: id, ...connected })
  }
  const reset = async () => {
    await forgetMails(db)
    return forgotten(app, id, fresh)
  }
  /** As it could be before a verified address was needed to add anything. */
  const addFirst = async () => {
    await db.update(users).set({ verified: true }).where(mine)
    await add()
    await db.update(users).set({ verified: false }).where(mine)
    clock.forward({ minutes: 5 })
    await verify()
  }
  return { ...started, ...someone, smtp, read, verify, authenticator, add, addFirst, reset }
}

t.test('a password reset removes what was added before the address was verified', async (t) => {
  const { app, db, smtp, person, authenticator, addFirst, reset, read } = await startWithWaysIn(t)
  await addFirst()
  t.ok((await read()).secondFactorAt)
  t.same((await reset()).flash, { notice: 'Your password was reset successfully. Please sign in' })

  t.equal((await read()).secondFactorAt, null)
  for (const table of [passkeys, recoveryCodes, identities]) t.equal(await db.$count(table), 0)
  t.equal((await signInWith(await Browser.open(app), authenticator)).component, 'auth/sign-in')
  t.equal((await signedIn(app, { ...person, password: fresh })).page.component, 'accounts/show', 'no code is asked for')
  t.match(
    (await recorded(db)).map(({ type }) => type).filter((type) => /passkey_removed|factor_disabled/.test(type)),
    ['second_factor_disabled', 'passkey_removed'],
  )

  await app.jobs.work()
  let mail = await smtp.next()
  while (mail.subject !== 'Your password has been changed') mail = await smtp.next()
  t.match(mail.text, 'Your new password is now the only way to sign in.')
})

t.test('what was added later stays, and the mail lists it', async (t) => {
  const { app, db, smtp, clock, person, authenticator, verify, add, reset, read } = await startWithWaysIn(t)
  await verify()
  clock.forward({ minutes: 5 })
  await add()
  await reset()
  t.ok((await read()).secondFactorAt)
  t.equal(await db.$count(identities), 1)
  t.equal((await signedIn(app, { ...person, password: fresh })).page.component, 'auth/second-factor')

  await app.jobs.work()
  const mail = await smtp.next()
  t.equal(mail.subject, 'Your password has been changed')
  t.equal((await signInWith(await Browser.open(app), authenticator)).component, 'accounts/show')
  const left = 'your authenticator app, 10 recovery codes, and the passkey “Blue key”'
  for (const part of [mail.text, mail.html])
    t.match(part, `Besides your new password, these ways to sign in remain: ${left}.`)
})

t.test('after a change of the address, what was added with the old one is removed by a reset', async (t) => {
  const { db, clock, browser, verify, add, reset, read } = await startWithWaysIn(t)
  await verify()
  await add()
  const { verifiedAt } = await read()
  clock.forward({ minutes: 5 })
  await browser.submit('PATCH', '/settings/email', { email: 'new@example.com', password_challenge: password })
  t.match(await read(), { verified: false, verifiedAt }, 'that they had verified one is still known')
  await verify()
  t.ok(((await read()).verifiedAt ?? 0) > (verifiedAt ?? 0))
  await reset()
  t.equal(await db.$count(passkeys), 0)
})
