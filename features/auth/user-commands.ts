import type { FastifyInstance } from 'fastify'
import type { User } from '../../drizzle/schema.ts'
import type { List } from '../../plugins/composition.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { nameMessages } from '../../plugins/forms/parameters.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { endEverySession } from './sessions.ts'
import { maxReasonLength, suspend, unsuspend } from './suspension.ts'
import { removeUserWithNotice } from './user-deletion.ts'

// What `npm run users` does with somebody (commands/users.ts), of options, too. Forms of operators do the same.

declare module 'fastify' {
  interface FastifyInstance {
    /** Who keeps what somebody did at the command line. */
    commandLogs: List<CommandLog>
  }
}

type CommandLog = (db: Database | Tx, action: string, userId: number | null) => Promise<unknown>

/** `word` is what follows the address. */
type Target = { user: ListedUser; word?: string | undefined }
type ListedUser = Pick<User, 'id' | 'email' | 'verified' | 'language'>

export type UserCommand = {
  /** What follows its name. */
  words: string
  help: string
  /** Whether it takes this word, or none. */
  takes?(word: string | undefined): boolean
  /** What the log calls it, also with a word. */
  logged: string | ((word: string | undefined) => string)
  /** Returns the line to print. Throws NotPossible or StaleRead. */
  run(app: FastifyInstance, tx: Tx, target: Target): Promise<string>
  /** What the list says of users with whom it was done. */
  mark?(user: Pick<User, 'operatorSince'>): string[]
}

export class NotPossible extends NotFound {}

export const signOut = {
  words: 'EMAIL',
  help: 'ends all sessions',
  logged: 'sessions_ended',
  async run(_app, tx, { user }) {
    const ended = await endEverySession(tx, user.id)
    return ended === 1 ? `1 session of ${user.email} has ended` : `${ended} sessions of ${user.email} have ended`
  },
} as const satisfies UserCommand

export const deletion = {
  words: 'EMAIL',
  help: 'deletes the user, as if they had done it themselves',
  logged: 'user_deleted',
  async run(app, tx, { user }) {
    if (!(await removeUserWithNotice(app, tx, user))) throw new NotPossible(`${user.email} has been deleted already`)
    return `${user.email} has been deleted`
  },
} as const satisfies UserCommand

export const suspension = {
  words: 'EMAIL [REASON]',
  help: 'keeps the user out; only operators see the reason',
  takes: (word) => word === undefined || nameMessages(word, maxReasonLength).length === 0,
  logged: 'user_suspended',
  async run(app, tx, { user: { id, email }, word }) {
    if (await suspend(app, tx, id, word ?? null)) return `${email} is suspended`
    if (word === undefined) throw new NotPossible(`${email} is suspended already`) // keeps the reason of before
    return `${email} was suspended already, and the reason is another now`
  },
} as const satisfies UserCommand

export const endOfSuspension = {
  words: 'EMAIL',
  help: 'lifts the suspension',
  logged: 'user_unsuspended',
  async run(app, tx, { user: { id, email } }) {
    if (!(await unsuspend(app, tx, id))) throw new NotPossible(`${email} is not suspended`)
    return `${email} is active again`
  },
} as const satisfies UserCommand

/** By name. Options add theirs when the application is loaded. */
export const userCommands: Record<string, UserCommand> = {
  'sign-out': signOut,
  delete: deletion,
  suspend: suspension,
  unsuspend: endOfSuspension,
}
