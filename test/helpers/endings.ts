import { desc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { emailChanges, users } from '../../drizzle/schema.ts'
import { waysInWords } from '../../features/auth/sign-in-methods.ts'
import { suspend, unsuspend } from '../../features/auth/suspension.ts'
import type { Text } from '../../plugins/languages/index.ts'
import { sharedApp } from './app.ts'
import { Browser } from './browser.ts'
import { changeEmail, forgotten, invite, openGuest, signedIn, signedUp, userRow, verify } from './people.ts'
import { forgetMails, queuedMails, typesOf } from './records.ts'

// What ends ways in and what people have set up: a suspension, a claim of the address, an undone change of it.

export const suspended = { url: '/sign_in', flash: { alert: 'Your account is suspended' } }

export const suspendUser = (app: FastifyInstance, id: number) =>
  app.db.transaction((tx) => suspend(app, tx, id, 'because'))
export const unsuspendUser = (app: FastifyInstance, id: number) => app.db.transaction((tx) => unsuspend(app, tx, id))

export const victim = 'victim@example.com'
export const welcome = { notice: 'Welcome! You have signed up successfully' }

/** People sign up with addresses of others, which these claim with an invitation. */
export async function startClaiming(t: Test) {
  const started = await sharedApp(t)
  const { app, db } = started
  /** A new person invites the address to their account. */
  const invited = async (email: string) => {
    const inviter = await signedUp(app)
    return { ...(await invite(app, inviter, `/${inviter.slug}`, email)), slug: inviter.slug }
  }
  /** Signs up with the address through an invitation, of this address unless another one is given. */
  const claim = async ({ email = victim, name = 'Victim' } = {}, token?: string) => {
    const browser = await Browser.open(app, { ip: '10.9.9.9' })
    const invitation = token ?? (await invited(email)).token
    const fresh = { password: 'another long password', password_confirmation: 'another long password' }
    return browser.submit('POST', '/sign_up', { name, email, ...fresh, invitation })
  }
  const holderOf = (email: string) => db.select().from(users).where(eq(users.email, email))
  const resets = async () => (await queuedMails(db)).filter(({ mail }) => mail === 'password_reset')
  return { ...started, invited, claim, holderOf, resets }
}

/** Someone signed up with the victim's address. */
export async function startSquatted(t: Test) {
  const started = await startClaiming(t)
  const squatter = await signedUp(started.app, { name: 'Squatter', email: victim })
  return { ...started, squatter, read: () => userRow(started.db, squatter.user.id) }
}

type SignedUp = Awaited<ReturnType<typeof signedUp>>

/** What the link contains that undoes the latest change of a user's address. */
async function sidOfChange({ db, tokens }: FastifyInstance, userId: number) {
  const theirs = eq(emailChanges.userId, userId)
  const [latest] = await db.select().from(emailChanges).where(theirs).orderBy(desc(emailChanges.id))
  return tokens.mint({ purpose: 'email_change', userId, state: String(latest?.id) })
}

export async function undoChange(app: FastifyInstance, userId: number) {
  const sid = await sidOfChange(app, userId)
  return (await openGuest(app)).submit('POST', '/identity/email_change', { sid })
}

/** A thief with the password changes a verified address. `sid` is that of the mail to the old one. */
export async function startStolen(t: Test, before?: (app: FastifyInstance, owner: SignedUp) => Promise<unknown>) {
  const started = await sharedApp(t)
  const { app, db } = started
  const owner = await signedUp(app, { email: 'ana@example.com' })
  await verify(db, owner.user.id)
  await before?.(app, owner)
  const thief = await signedIn(app, owner.person)
  await forgetMails(db)
  const sidOfLatestMail = () => sidOfChange(app, owner.user.id)
  await changeEmail(thief, 'thief@example.com')
  const sid = await sidOfLatestMail()
  const restore = async (browser?: Browser, given = sid) =>
    (browser ?? (await Browser.open(app))).submit('POST', '/identity/email_change', { sid: given })
  const open = async () => (await new Browser(app).document(`/identity/email_change?sid=${sid}`)).page
  const listed = (rows: { email?: unknown; verified?: boolean }[]) =>
    rows.map(({ email, verified = true }) => `${email}`.replace('@example.com', verified ? '' : '?')).join(' ')
  /** The addresses of all users, with a question mark behind unverified ones, oldest first. */
  const addresses = async () => listed(await db.select().from(users).orderBy(users.id))
  /** Whom a mail asks to set a new password. */
  const resets = async () =>
    listed((await queuedMails(db)).filter(({ mail }) => mail === 'password_reset'))
      .split(' ')
      .sort()
      .join(' ')
  return { ...started, owner, thief, sidOfLatestMail, sid, restore, open, addresses, resets }
}

type Started = Pick<Awaited<ReturnType<typeof sharedApp>>, 'app' | 'db' | 'clock'>

/**
 * What of a way in is left after a reset: if it was added before the address was verified, after it, and, again after
 * it, if nobody had proved the address; what remains of it in words; and which activities each reset recorded. `add`
 * returns how many there are.
 */
export async function leftByResets(
  { app, db, clock }: Started,
  add: (someone: SignedUp) => Promise<() => Promise<number>>,
) {
  const left: number[] = []
  const words: Text[] = []
  const recorded: string[][] = []
  for (const when of ['before', 'after', 'unproved']) {
    const someone = await signedUp(app)
    const { id } = someone.user
    const verifyNow = async (provedEmail: string | null) => {
      clock.forward({ minutes: 5 })
      await db.update(users).set({ verified: true, verifiedAt: app.now(), provedEmail }).where(eq(users.id, id))
      clock.forward({ minutes: 5 })
    }
    if (when !== 'before') await verifyNow(when === 'after' ? someone.person.email : null)
    else await verify(db, id) // as it could be before a verified address was needed to add anything
    const count = await add(someone)
    if ((await count()) === 0) throw new Error('nothing was added')
    if (when === 'before') await verifyNow(someone.person.email)
    const { length } = await typesOf(db, id)
    await forgotten(app, id, 'a fresh new password')
    recorded.push((await typesOf(db, id)).slice(length))
    left.push(await count())
    if (when === 'after') words.push(...(await waysInWords(app, id)))
  }
  return { left, words, recorded }
}
