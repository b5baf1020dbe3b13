import type { FastifyInstance } from 'fastify'
import type { User } from '../../drizzle/schema.ts'
import { createList, type List } from '../../plugins/composition.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'

// What `npm run users` does with somebody (commands/users.ts), of options, too.

declare module 'fastify' {
  interface FastifyInstance {
    /** Who keeps what somebody did at the command line. */
    commandLogs: List<CommandLog>
  }
}

type CommandLog = (db: Database | Tx, action: string, userId: number | null) => Promise<unknown>

export const defineCommandLogs = (app: FastifyInstance) =>
  app.decorate('commandLogs', createList<CommandLog>(app, 'commandLogs'))

/** `word` is what follows the address. */
export type Target = { user: ListedUser; word: string | undefined; demoEmail: string | undefined }
type ListedUser = Pick<User, 'id' | 'email' | 'verified' | 'language'>

export type UserCommand = {
  /** What follows its name. */
  words: string
  help: string
  /** Whether it takes this word, or none. */
  takes?(word: string | undefined): boolean
  /** What the log calls it. */
  logged(word: string | undefined): string
  /** Returns the line to print. Throws NotPossible. */
  run(app: FastifyInstance, tx: Tx, target: Target): Promise<string>
  /** What the list says of users with whom it was done. */
  mark?(user: Pick<User, 'operatorSince'>): string[]
}

/** Those of options, by name. They are defined when the application is loaded. */
export const commandsOfOptions: Record<string, UserCommand> = {}

export const defineUserCommand = (name: string, command: UserCommand) => {
  commandsOfOptions[name] = command
}

export class NotPossible extends Error {}
