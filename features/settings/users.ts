import { and, eq, ne, notExists } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import { emailChanges, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { assertValid, Invalid } from '../../plugins/forms/index.ts'
import { forgetPresence, recheckUser } from '../../plugins/live/index.ts'
import { holdUser } from '../../plugins/security/challenges.ts'
import { holdSession, whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import { accountsOf, departFrom, holdAccountsOf, type Leaver } from '../accounts/departures.ts'
import { forgetUser } from '../activity/index.ts'
import type { Session } from '../auth/requests.ts'
import { nameMessages } from '../auth/users.ts'

/** The new name, or undefined to keep the old one. Throws Invalid. */
export function checkProfile({ name }: { name?: string | null }) {
  if (name === undefined) return undefined
  assertValid({ name: nameMessages(name ?? '') })
  return name ?? undefined
}

/** Throws SignedOut. */
export const updateProfile = (db: Database, { userId, token }: Session, name: string) =>
  whileSignedIn(db, token, (tx) => tx.update(users).set({ name }).where(eq(users.id, userId)))

type App = Pick<FastifyInstance, 'db' | 'mail'>

/**
 * Deletes the user, their sessions and everything that nobody else needs. Throws SignedOut, or Invalid if the challenge
 * fails.
 */
export async function deleteUser({ db, mail }: App, session: Session, digest: string | undefined) {
  if (!digest) throw new Invalid(refusal)
  try {
    await leaveForGood({ db, mail }, session.userId, async (tx) => {
      await holdUser(tx, session.userId, digest)
      await holdSession(tx, session.token)
    })
  } catch (error) {
    throw error instanceof Invalid ? new Invalid(refusal) : error
  }
}

/** The same for an operator, who has neither a session of the user nor their password. */
export const removeUser = (app: App, userId: number) =>
  leaveForGood(app, userId, (tx) => tx.select().from(users).where(eq(users.id, userId)).for('update'))

type Hold = (tx: Tx) => Promise<unknown>

async function leaveForGood({ db, mail }: App, userId: number, hold: Hold) {
  while (!(await db.transaction((tx) => depart(tx, mail, userId, hold)))) {
    // They joined an account after the others were locked.
  }
}

/**
 * Accounts are locked before the user, as everywhere, to avoid deadlocks. By the time the user is locked, the list of
 * accounts may therefore be incomplete. Returns false in that case, without having changed anything, and the caller
 * starts a new transaction.
 */
async function depart(tx: Tx, mail: App['mail'], userId: number, hold: Hold) {
  const held = await holdAccountsOf(tx, await leaver(tx, userId))
  await hold(tx)
  const leaving = await leaver(tx, userId)
  const concerned = await accountsOf(tx, leaving)
  if (!concerned.every((id) => held.includes(id))) return false

  await departFrom(tx, leaving, held)
  await mail.forget(tx, leaving.addresses)
  await forgetPresence(tx, userId)
  await recheckUser(tx, userId)
  await tx.delete(users).where(eq(users.id, userId))
  await forgetUser(tx, userId, held)
  return true
}

/** Includes former addresses, unless another user has them now. */
async function leaver(tx: Tx, userId: number): Promise<Leaver> {
  const other = alias(users, 'other')
  const taken = tx
    .select()
    .from(other)
    .where(and(eq(other.email, emailChanges.previousEmail), ne(other.id, userId)))
  const former = tx
    .select({ email: emailChanges.previousEmail })
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), notExists(taken)))
  const rows = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId)).union(former)
  return { userId, addresses: rows.map(({ email }) => email) }
}

const refusal = { password_challenge: ['Password challenge is invalid'] }
