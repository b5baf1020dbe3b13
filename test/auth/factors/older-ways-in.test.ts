import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { identities, passkeys, recoveryCodes, sessions, users } from '../../../drizzle/schema.ts'
import { startApp } from '../../helpers/app.ts'
import { Authenticator, register, signInWith } from '../../helpers/authenticator.ts'
import { Browser } from '../../helpers/browser.ts'
import { changeEmail, forgotten, sidOf, signedIn, signedUp, userRow } from '../../helpers/people.ts'
import { forgetMails, typesOf } from '../../helpers/records.ts'
import { enable } from '../../helpers/second-factors.ts'
import { startSmtp } from '../../helpers/smtp.ts'

const fresh = 'a fresh new password'

/** A person with a passkey and a second factor, who verified their address before or after adding them. */
async function startWithWaysIn(t: Test) {
  const smtp = await startSmtp(t)
  const started = await startApp(t, smtp.environment)
  const { app, db, clock } = started
  const someone = await signedUp(app)
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
  const setVerified = (verified: boolean) => db.update(users).set({ verified }).where(eq(users.id, id))
  return { ...started, ...someone, smtp, read, verify, authenticator, add, setVerified, reset }
}

t.test('a password reset removes what was added before the address was verified', async (t) => {
  const started = await startWithWaysIn(t)
  const { app, db, smtp, clock, person, user, authenticator, verify, setVerified, add, reset, read } = started
  await setVerified(true) // as it could be before a verified address was needed to add anything
  await add()
  await setVerified(false)
  clock.forward({ minutes: 5 })
  await verify()
  t.ok((await read()).secondFactorAt)
  t.same((await reset()).flash, { notice: 'Your password was reset successfully. Please sign in' })

  t.equal((await read()).secondFactorAt, null)
  for (const table of [passkeys, recoveryCodes, identities]) t.equal(await db.$count(table), 0)
  t.equal((await signInWith(await Browser.open(app), authenticator)).component, 'auth/sign-in')
  t.equal((await signedIn(app, { ...person, password: fresh })).page.component, 'accounts/show', 'no code is asked for')
  const removed = (await typesOf(db, user.id)).filter((type) => /passkey_removed|factor_disabled/.test(type))
  t.same(removed, ['second_factor_disabled', 'passkey_removed'])

  await app.jobs.work()
  const { text } = await smtp.next('Your password has been changed')
  t.match(text, 'Your new password is now the only way to sign in.')
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
  const mail = await smtp.next('Your password has been changed')
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
  await changeEmail({ browser }, 'new@example.com')
  t.match(await read(), { verified: false, verifiedAt }, 'that they had verified one is still known')
  await verify()
  t.ok(((await read()).verifiedAt ?? 0) > (verifiedAt ?? 0))
  await reset()
  t.equal(await db.$count(passkeys), 0)
})

t.test('restoring an email removes every other sign-in method, even older ones', async (t) => {
  const { app, db, smtp, clock, person, browser, verify, add, read } = await startWithWaysIn(t)
  await verify()
  await add()
  clock.forward({ minutes: 5 })
  await changeEmail({ browser }, 'thief@example.com')
  await app.jobs.work()
  const { text = '' } = await smtp.next('Your email has been changed')
  const [, sid] = /email_change\?sid=(\S+)/.exec(text) ?? []
  const page = await (await Browser.open(app)).submit('POST', '/identity/email_change', { sid })
  t.same(page.flash, { notice: 'Your email has been restored. Choose a new password' })
  for (const table of [passkeys, recoveryCodes, identities, sessions]) t.equal(await db.$count(table), 0)
  t.match(await read(), { email: person.email, secondFactorAt: null })
})
