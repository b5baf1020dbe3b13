import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, emailChanges, memberships, sessions, users } from '../../drizzle/schema.ts'
import { apiTokens } from '../../drizzle/tables/api.ts'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import { identities } from '../../drizzle/tables/providers.ts'
import { recoveryCodes, trustedBrowsers } from '../../drizzle/tables/second-factor.ts'
import { ssoIdentities } from '../../drizzle/tables/single-sign-on.ts'
import { createToken } from '../helpers/api.ts'
import { startApp } from '../helpers/app.ts'
import { register } from '../helpers/authenticator.ts'
import type { Browser } from '../helpers/browser.ts'
import { codesOf } from '../helpers/mail-codes.ts'
import { openGuest, signedIn, signedUp, userRow, verifiedUp } from '../helpers/people.ts'
import { typesOf } from '../helpers/records.ts'
import { enable } from '../helpers/second-factor.ts'
import { connectWorkspaces } from '../helpers/single-sign-on.ts'
import { startSmtp } from '../helpers/smtp.ts'

const smtp = await startSmtp(t)
const { app, clock, db } = await startApp(t, smtp.environment)
await app.jobs.startWorkers()
const receive = codesOf(smtp)

async function enterCode(browser: Browser, email: string) {
  await browser.submit('POST', '/sign_in/code', { email })
  const { code } = await receive(email)
  return browser.submit('POST', '/sign_in/code/verify', { code })
}

let count = 0

/** Somebody signed up with an address whose mail they cannot read; a mail scanner opened the link. */
async function squatter() {
  const domain = `squatted-${++count}.example`
  const someone = await verifiedUp(app, { email: `ana@${domain}` })
  const { id } = someone.user
  await register(someone.browser)
  await enable(someone.browser, { clock })
  await createToken(someone.browser)
  await db.insert(identities).values({ userId: id, provider: 'oidc', issuer: 'x', subject: String(id) })
  await db.insert(trustedBrowsers).values({ userId: id, device: 'x', expiresAt: new Date(Date.now() + 86_400_000) })
  await connectWorkspaces(db, id, domain)
  await db.update(users).set({ provedEmail: null }).where(eq(users.id, id))
  return someone
}

const tables = { passkeys, recoveryCodes, identities, apiTokens, trustedBrowsers }
/** How many there are of each. */
async function waysOf(userId: number) {
  const counts = Object.entries(tables).map(
    async ([name, table]) => [name, await db.$count(table, eq(table.userId, userId))] as const,
  )
  return Object.fromEntries(await Promise.all(counts))
}

t.test('a code that proves an address for the first time ends what a squatter set up, at once', async (t) => {
  const { person, user, browser: theirs } = await squatter()
  t.match(await waysOf(user.id), { passkeys: 1, recoveryCodes: 10, identities: 1, apiTokens: 1, trustedBrowsers: 1 })
  const owner = await openGuest(app)
  const page = await enterCode(owner, person.email)
  t.match(page, { component: 'accounts/show', flash: { notice: 'Signed in successfully' } }, 'without a second step')

  t.same(await waysOf(user.id), { passkeys: 0, recoveryCodes: 0, identities: 0, apiTokens: 0, trustedBrowsers: 0 })
  t.match(await userRow(db, user.id), { passwordDigest: null, secondFactorAt: null, provedEmail: person.email })
  const left = await db.select().from(sessions).where(eq(sessions.userId, user.id))
  t.match(left, [{ token: page.props.auth.session.id, firstFactor: 'email_code' }])
  t.equal((await theirs.visit('/settings/profile')).component, 'auth/sign-in')
  t.equal((await signedIn(app, person)).page.component, 'auth/sign-in', 'the password is void')
  const connected = await db
    .select({ name: accounts.name, subject: ssoIdentities.subject })
    .from(ssoIdentities)
    .innerJoin(accounts, eq(accounts.id, ssoIdentities.accountId))
    .where(eq(ssoIdentities.userId, user.id))
    .orderBy(accounts.id)
  t.same(connected, [
    { name: 'Proved', subject: 'ana' },
    { name: 'Not', subject: null },
  ])
  t.same((await typesOf(db, user.id)).slice(-2), ['ways_in_removed', 'signed_in'])

  const mail = await smtp.next('Your other ways to sign in were removed')
  t.equal(mail.recipient, person.email)
  t.match(mail.text, "it may belong to whoever signed up with somebody else's address")
  const all = `the password, the authenticator app and its recovery codes, passkeys, connected accounts, single sign-on, and
    tokens`
  t.match(mail.text?.replace(/\s+/g, ' '), `Removed: ${all.replace(/\s+/g, ' ')}.`)
})

t.test('it also parts from whom the squatter let in before the address was verified', async (t) => {
  const { person, user, slug } = await squatter()
  const [account] = await db.select().from(accounts).where(eq(accounts.slug, slug))
  const accountId = account?.id ?? 0
  const accomplice = await signedUp(app)
  await db.insert(memberships).values({ accountId, userId: accomplice.user.id, role: 'admin' })
  await db
    .update(users)
    .set({ verifiedAt: new Date(Date.now() + 60_000) })
    .where(eq(users.id, user.id))
  await enterCode(await openGuest(app), person.email)
  t.match(await db.select().from(memberships).where(eq(memberships.accountId, accountId)), [{ userId: user.id }])
  await smtp.next('Your other ways to sign in were removed')
})

t.test('a browser that knows the person removes nothing, nor does a second code', async (t) => {
  const known = await squatter()
  await known.browser.submit('DELETE', `/sessions/${(await known.browser.visit('/')).props.auth.session.id}`)
  const page = await enterCode(known.browser, known.person.email)
  t.equal(page.component, 'auth/second-factor')
  t.match(await waysOf(known.user.id), { passkeys: 1, identities: 1 })
  t.match(await userRow(db, known.user.id), { provedEmail: known.person.email, passwordDigest: String })

  t.equal((await enterCode(await openGuest(app), known.person.email)).component, 'auth/second-factor')
  t.match(await waysOf(known.user.id), { passkeys: 1, identities: 1 })
})

t.test(
  'the mail names the address of whoever changed theirs to this one, which a link there would bring back',
  async (t) => {
    const thief = await verifiedUp(app, { email: 'thief@squatted.example' })
    const { id } = thief.user
    await db.update(users).set({ email: 'bea@squatted.example', provedEmail: null }).where(eq(users.id, id))
    const previous = { previousEmail: 'thief@squatted.example', previousProved: true, createdAt: clock.now() }
    await db.insert(emailChanges).values({ userId: id, ...previous })
    await enterCode(await openGuest(app), 'bea@squatted.example')
    const mail = await smtp.next('Your other ways to sign in were removed')
    t.equal(mail.recipient, 'bea@squatted.example')
    t.match(mail.text?.replace(/\s+/g, ' '), 'Your address was thief@squatted.example before.')
  },
)
