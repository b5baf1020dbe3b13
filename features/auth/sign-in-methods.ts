import { and, inArray, isNotNull } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import type { List } from '../../plugins/composition.ts'
import { type Database, StaleRead, type Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { type Text, text } from '../../plugins/languages/index.ts'
import { lockAccounts } from '../accounts/accounts.ts'
import { accountsConcerned, endFor } from '../accounts/endings.ts'

// How people get in: the password here, and what options add. Pages, mails, operators and commands all count these.

declare module 'fastify' {
  interface FastifyInstance {
    signInMethods: List<SignInMethod>
  }
}

/** What a user has of a method. */
export type Way = {
  userId: number
  id?: number
  /** In the mail about a new password: what is left besides it. */
  words: Text[]
  /** For operators and at the command line. What is the same is said once, and what has none is not said. */
  english?: string
}

export type Which = {
  /** Those added before this time. */
  before?: Date | undefined
  /** Except those that somebody answers for who proved the domain of the user's address. */
  keepsVouched?: true
}

export type SignInMethod = {
  name: string
  /** In the mail about its removal. */
  title?: Text
  /** What these users have of it. */
  find(db: Database | Tx, userIds: number[]): Promise<Way[]>
  /** Whether it may be the last way in. Others help to sign in, or can be taken away by somebody else. */
  isEnough?: true
  /** If it is enough: what somebody is told who would be left without a way in. */
  insteadOfPassword?: Text
  /** It follows on others, so it is named after them. */
  isStep?: true
  /** Removes what the user, who is locked, has of it. Returns whether there was any. */
  remove?(tx: Tx, user: User, which: Which): Promise<boolean>
}

export const passwordMethod: SignInMethod = {
  name: 'password',
  title: text('the password'),
  isEnough: true,
  async find(db, userIds) {
    const having = and(inArray(users.id, userIds), isNotNull(users.passwordDigest))
    const rows = await db.select({ userId: users.id }).from(users).where(having)
    return rows.map(({ userId }) => ({ userId, words: [], english: 'password' }))
  },
}

/** What is left besides a new password, for people. */
export async function waysInWords({ db, signInMethods }: FastifyInstance, userId: number) {
  const found: Way[] = []
  for (const { find } of signInMethods) found.push(...(await find(db, [userId])))
  return found.flatMap(({ words }) => words)
}

/** How each of these users can sign in, for operators, in English. */
export async function waysInEnglish({ db, signInMethods }: FastifyInstance, userIds: number[]) {
  const ways = new Map(userIds.map((id) => [id, new Set<string>()]))
  const methods = [...signInMethods].toSorted((one, other) => Number(one.isStep ?? 0) - Number(other.isStep ?? 0))
  for (const { find } of methods)
    for (const { userId, english } of await find(db, userIds)) if (english) ways.get(userId)?.add(english)
  return (userId: number) => [...(ways.get(userId) ?? [])]
}

/** For the removal of a way in. Throws Refused if it is the last one. */
export async function requireAnotherWay(
  { signInMethods }: FastifyInstance,
  db: Database | Tx,
  userId: number,
  removed: { method: string; id: number },
) {
  for (const { name, isEnough, find } of signInMethods) {
    const isOther = ({ id }: Way) => name !== removed.method || id !== removed.id
    if (isEnough && (await find(db, [userId])).some(isOther)) return
  }
  const other = signInMethods.find(({ insteadOfPassword }) => insteadOfPassword !== undefined)
  throw new Refused(other?.insteadOfPassword ?? text('Set a password first'))
}

/** Locks the accounts in which something ends with the sign-in methods of a user. Comes before the lock of the user. */
export const lockConcerned = async (app: FastifyInstance, tx: Tx, userId: number) =>
  lockAccounts(tx, await accountsConcerned(app, tx, userId))

/**
 * Removes those that match, but for the password. The user must be locked, and before them the accounts that are
 * concerned: what is recorded there would else be overtaken by what others record, and missed by who reads on. Returns
 * the names of what there was. Throws StaleRead.
 */
export async function removeSignInMethods(
  app: FastifyInstance,
  tx: Tx,
  user: User,
  locked: number[],
  which: Which = {},
) {
  const concerned = await accountsConcerned(app, tx, user.id)
  if (!concerned.every((id) => locked.includes(id))) throw new StaleRead()
  const removed: string[] = []
  for (const { name, remove } of app.signInMethods) if (await remove?.(tx, user, which)) removed.push(name)
  await endFor(app, tx, 'methodsRemoved', { userId: user.id, before: which.before })
  return removed
}
