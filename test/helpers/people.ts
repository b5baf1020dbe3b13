import { randomUUID } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { accounts, invitations, memberships, type Role, users } from '../../drizzle/schema.ts'
import { mintInvitation } from '../../features/accounts/received-invitations.ts'
import { presentUser } from '../../features/auth/props.ts'
import type { ReauthenticationProof } from '../../features/auth/reauthentication/index.ts'
import { mintLink } from '../../features/identity/links.ts'
import type { Database } from '../../plugins/database/index.ts'
import { listen, sharedApp, startApp } from './app.ts'
import { Browser } from './browser.ts'
import { insertUser, password, signedInCookies } from './inserted-users.ts'

export { password }
export const challenge = { password_challenge: password }

let count = 0

/** Valid sign-up data for a new person. */
export function somebody(attributes: { name?: string; email?: string } = {}) {
  count++
  return {
    name: `Ana ${count}`,
    email: `ana-${count}@example.com`,
    password,
    password_confirmation: password,
    ...attributes,
  }
}

type Attributes = { name?: string; email?: string }

/** A new person, as the form leaves them but without the time that it takes, and the id of their session. */
export async function signedUp(app: FastifyInstance, attributes?: Attributes, ip = nextIp()) {
  const browser = new Browser(app, { ip })
  const person = somebody(attributes)
  const { user, session, path } = await insertUser(app, person, browser)
  for (const [name, value] of signedInCookies(app, user, session.token)) browser.cookies.set(name, value)
  return { browser, person, user: presentUser(user), session: session.token, slug: path.slice(1) }
}

/** Signs up a new person with the form. The browser is on their account's page. */
export async function signUpByForm(app: FastifyInstance, attributes?: Attributes, ip = nextIp()) {
  const browser = await Browser.open(app, { ip })
  const person = somebody(attributes)
  const page = await browser.submit('POST', '/sign_up', person)
  const { auth, account } = page.props
  return { browser, person, page, user: auth.user, session: auth.session.id as string, slug: account.slug as string }
}

/** A new person in the shared application. */
export async function sharedPerson(t: Test) {
  const started = await sharedApp(t)
  return { ...started, ...(await signedUp(started.app)) }
}

/** A browser on the sign-in page whose attempts count for nobody else. */
export const openGuest = (app: FastifyInstance) => Browser.open(app, { ip: nextIp() })

/** Signs up a new person who has verified their address, as one has to before adding a passkey or a second factor. */
export async function verifiedUp(app: FastifyInstance, attributes?: Attributes) {
  const someone = await signedUp(app, attributes)
  const verified = { verified: true, verifiedAt: app.now(), provedEmail: users.email, updatedAt: users.updatedAt }
  await app.db.update(users).set(verified).where(eq(users.id, someone.user.id))
  return someone
}

/** Makes the address of a person count as verified. */
export const verify = (db: Database, userId: number) =>
  db.update(users).set({ verified: true }).where(eq(users.id, userId))

/** The same, as if they had opened the link in their own session. */
export const prove = (db: Database, userId: number) =>
  db.update(users).set({ verified: true, provedEmail: users.email }).where(eq(users.id, userId))

/** Signs in an existing person in another browser. */
export async function signedIn(app: FastifyInstance, person: { email: string; password: string }, ip = nextIp()) {
  const browser = await Browser.open(app, { ip })
  const page = await browser.submit('POST', '/sign_in', { email: person.email, password: person.password })
  return { browser, page }
}

// A new address for each browser, so tests do not use up each other's rate limits.
export const nextIp = () => `198.51.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`
let addresses = 0

/** Creates the account Acme with its owner, and returns a function that adds people to it. */
export async function startAcme(app: FastifyInstance) {
  const owner = await signedUp(app)
  const page = await owner.browser.submit('POST', '/accounts', { name: 'Acme' })
  const [account] = await app.db.select().from(accounts).where(eq(accounts.slug, page.props.account.slug))
  if (!account) throw new Error('Acme was not created')

  /** Adds a signed-up person with this role. */
  const join = async (role: Role) => addMember(app.db, account.id, await signedUp(app), role)
  const membersNow = async () =>
    app.db.select().from(memberships).where(eq(memberships.accountId, account.id)).orderBy(memberships.id)
  const [own] = await membersNow()
  return { account, path: `/${account.slug}`, owner: { ...owner, membershipId: own?.id ?? 0 }, join, membersNow }
}

/** Adds somebody to an account, without an invitation. */
export async function addMember<Somebody extends { user: { id: number } }>(
  db: Database,
  accountId: number,
  someone: Somebody,
  role: Role = 'member',
) {
  const [membership] = await db.insert(memberships).values({ accountId, userId: someone.user.id, role }).returning()
  return { ...someone, membershipId: membership?.id ?? 0 }
}

/** Acme in the shared application. */
export async function sharedAcme(t: Test) {
  const started = await sharedApp(t)
  return { ...started, ...(await startAcme(started.app)) }
}

/** Acme in the shared application, which listens, as streams need. */
export async function sharedLiveAcme(t: Test) {
  const started = await sharedAcme(t)
  await listen(started.app)
  return started
}

/** Acme in an application of its own that listens. */
export async function liveAcme(...given: Parameters<typeof startApp>) {
  const started = await startApp(...given)
  await listen(started.app)
  return { ...started, ...(await startAcme(started.app)) }
}

/** The token that the invitation's mail would contain. */
export async function tokenOf(app: FastifyInstance, invitationId: number) {
  const [invitation] = await app.db.select().from(invitations).where(eq(invitations.id, invitationId))
  const minted = await mintInvitation(app, invitationId, invitation?.mailId ?? randomUUID())
  if (!minted) throw new Error('there is no such invitation')
  return minted.token
}

/** Invites an address, and returns the id of the invitation with the token and the path that its mail would contain. */
export async function invite(
  app: FastifyInstance,
  by: { browser: Browser },
  path: string,
  email: string,
  role = 'member',
) {
  await by.browser.submit('POST', `${path}/invitations`, { email, role })
  const sent = eq(invitations.email, email)
  const [latest] = await app.db.select().from(invitations).where(sent).orderBy(desc(invitations.id)).limit(1)
  const id = latest?.id ?? 0
  const token = await tokenOf(app, id)
  return { id, token, link: `/invitations/${token}` }
}

/** Changes the address of a person as they do. */
export const changeEmail = ({ browser }: { browser: Browser }, email: string) =>
  browser.submit('PATCH', '/settings/email', { email, ...challenge })

/** The actor for this person and account. */
export const actorAt = (
  account: { id: number },
  { session, user }: Pick<Awaited<ReturnType<typeof signedUp>>, 'session' | 'user'>,
) => ({
  userId: user.id,
  accountId: account.id,
  credential: session,
})

export async function userRow(db: Database, userId: number) {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user) throw new Error('there is no such user')
  return user
}

/** What the link of a mail to this user contains. */
export const sidOf = async ({ db, tokens }: FastifyInstance, purpose: Parameters<typeof mintLink>[1], userId: number) =>
  mintLink(tokens, purpose, await userRow(db, userId))

/** Resets a user's password with the link of the mail, in a browser without a session. */
export async function forgotten(app: FastifyInstance, userId: number, password = 'a fresh password') {
  const body = { sid: await sidOf(app, 'password_reset', userId), password, password_confirmation: password }
  return (await Browser.open(app)).submit('PATCH', '/identity/password_reset', body)
}

/** What a right password leaves behind: it holds as long as the digest stays. */
export const byDigest = (digest: string | null | undefined): ReauthenticationProof => ({
  field: 'password_challenge',
  consume: (_tx, user) => user.passwordDigest === digest,
})
