import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { accounts, emailChanges, sessions, users } from '../../../drizzle/schema.ts'
import { apiTokens } from '../../../drizzle/tables/api.ts'
import { passkeys } from '../../../drizzle/tables/passkeys.ts'
import { identities } from '../../../drizzle/tables/providers.ts'
import { recoveryCodes, trustedBrowsers } from '../../../drizzle/tables/second-factor.ts'
import { ssoIdentities } from '../../../drizzle/tables/single-sign-on.ts'
import { createToken } from '../../helpers/api.ts'
import { startApp } from '../../helpers/app.ts'
import { Authenticator, register, signInWith } from '../../helpers/authenticator.ts'
import { Browser } from '../../helpers/browser.ts'
import { changeEmail, forgotten, sidOf, signedIn, signedUp, userRow, verifiedUp } from '../../helpers/people.ts'
import { forgetMails, typesOf } from '../../helpers/records.ts'
import { enable } from '../../helpers/second-factor.ts'
import { startSmtp } from '../../helpers/smtp.ts'

const fresh = 'a fresh new password'

const written = (time: number) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' }).format(time)

/** A person with a passkey and a second factor, who verified their address before or after adding them. */
async function startWithWaysIn(t: Test, environment: Record<string, string> = {}) {
  const smtp = await startSmtp(t)
  const started = await startApp(t, { ...smtp.environment, ...environment })
  const { app, db } = started
  const someone = await signedUp(app)
  const { id } = someone.user
  const read = () => userRow(db, id)
  /** Opens the link, as mail scanners do, too. In a session of the person, it proves the address. */
  const verify = async (browser = someone.browser) =>
    browser.visit(`/identity/email_verification?sid=${await sidOf(app, 'email_verification', id)}`)
  const authenticator = new Authenticator()
  const add = async () => {
    await register(someone.browser, authenticator, undefined, { name: 'Blue key' })
    await enable(someone.browser, started)
    await connect()
  }
  const connect = () =>
    db.insert(identities).values({ userId: id, provider: 'oidc', issuer: 'x', subject: 'ana', createdAt: app.now() })
  const reset = async () => {
    await forgetMails(db)
    return forgotten(app, id, fresh)
  }
  const setVerified = (verified: boolean) => db.update(users).set({ verified }).where(eq(users.id, id))
  return { ...started, ...someone, smtp, read, verify, authenticator, add, connect, setVerified, reset }
}

t.test('a password reset removes what was added before the address was verified', async (t) => {
  const started = await startWithWaysIn(t, { MAIL_CODES: 'off' })
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

  await app.jobs.startWorkers()
  const { text } = await smtp.next('Your password has been changed')
  t.match(text, 'Your new password is now the only way to sign in.')
})

t.test('a reset that proves the address for the first time removes whatever was ever added', async (t) => {
  const { app, db, clock, person, user, browser, verify, add, connect, reset, read } = await startWithWaysIn(t)
  await verify(new Browser(app)) // as mail scanners do
  clock.forward({ minutes: 5 })
  await add()
  await createToken(browser)
  await db.insert(trustedBrowsers).values({ userId: user.id, device: 'x', expiresAt: clock.now() })
  await reset()
  t.match(await read(), { secondFactorAt: null, provedEmail: person.email })
  const tables = [passkeys, recoveryCodes, identities, apiTokens, trustedBrowsers, sessions]
  for (const table of tables) t.equal(await db.$count(table), 0)

  await connect()
  await reset()
  t.equal(await db.$count(identities), 1, 'the next one removes only what is older than the verification')
})

t.test('the mail of a reset names older addresses that can take the account back, and until when', async (t) => {
  const { app, db, smtp, clock, person, browser, verify, reset } = await startWithWaysIn(t)
  const change = async (email: string) => {
    await verify()
    await changeEmail({ browser }, email)
  }
  await change('second@example.com')
  clock.forward({ days: 2 })
  await change('present@example.com')
  await verify()
  await app.jobs.startWorkers()
  const named = async () => {
    await reset()
    const { text = '' } = await smtp.next('Your password has been changed')
    return [...text.matchAll(/Your address was (\S+) before\. Until (.+), a link/g)].map(([, ...found]) => found)
  }
  const changes = await db.select().from(emailChanges).orderBy(emailChanges.id)
  const until = ({ createdAt }: { createdAt: Date }) => createdAt.getTime() + 3 * 86_400_000
  const [first, second] = [person.email, 'second@example.com'].map((email, at) => [
    email,
    written(until(changes[at] ?? { createdAt: new Date(0) })),
  ])
  t.same(await named(), [first, second])
  clock.forward({ days: 1 })
  t.same(await named(), [second])
  await verifiedUp(app, { email: 'second@example.com' })
  t.same(await named(), [], 'somebody else has it now')
})

t.test('what was added later stays, and the mail lists it', async (t) => {
  const { app, db, smtp, clock, person, user, authenticator, verify, add, reset, read } = await startWithWaysIn(t)
  await verify()
  clock.forward({ minutes: 5 })
  await add()
  const [acme] = await db.insert(accounts).values({ name: 'Acme', slug: 'acme' }).returning()
  const connected = { accountId: acme?.id ?? 0, userId: user.id, subject: 'ana', createdAt: clock.now() }
  await db.insert(ssoIdentities).values(connected)
  await reset()
  t.ok((await read()).secondFactorAt)
  t.equal(await db.$count(identities), 1)
  t.equal((await signedIn(app, { ...person, password: fresh })).page.component, 'auth/second-factor')

  await app.jobs.startWorkers()
  const mail = await smtp.next('Your password has been changed')
  t.equal((await signInWith(await Browser.open(app), authenticator)).component, 'accounts/show')
  const rest = 'the passkey “Blue key”, the single sign-on of Acme, and a code by mail to this address'
  const left = `your authenticator app, 10 recovery codes, ${rest}`
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
  await app.jobs.startWorkers()
  const { text = '' } = await smtp.next('Your email has been changed')
  const [, sid] = /email_change\?sid=(\S+)/.exec(text) ?? []
  const page = await (await Browser.open(app)).submit('POST', '/identity/email_change', { sid })
  t.same(page.flash, { notice: 'Your email has been restored. Choose a new password' })
  for (const table of [passkeys, recoveryCodes, identities, sessions]) t.equal(await db.$count(table), 0)
  t.match(await read(), { email: person.email, secondFactorAt: null })
})
