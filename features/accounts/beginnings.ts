import type { FastifyInstance } from 'fastify'
import type { Account, Role } from '../../drizzle/schema.ts'
import type { List } from '../../plugins/composition.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import type { Text } from '../../plugins/languages/text.ts'

// What options and features of a product add to the beginning of a user or a membership.

declare module 'fastify' {
  interface FastifyInstance {
    beginnings: List<Beginning>
  }
}

/** Where somebody is invited to, and the role of who invites. */
type Inviter = { account: Account; role: Role }

/** `isNew` unless they were a member already. The account is locked. */
type Accepted = { account: Account; userId: number; email: string; isNew: boolean }

export type Beginning = {
  /** Whether a new user may go on to this page, where others would be closed to them. */
  leadsTo?(path: string): boolean
  /** Why this address may not be invited. Asked for the form, and again in the transaction. */
  refuses?(db: Database | Tx, inviter: Inviter, email: string): Promise<Text[]>
  /** An invitation to this address was accepted. */
  accepted?(tx: Tx, accepted: Accepted): Promise<void>
}

export async function refusalsOf({ beginnings }: FastifyInstance, db: Database | Tx, inviter: Inviter, email: string) {
  for (const { refuses } of beginnings) {
    const messages = (await refuses?.(db, inviter, email)) ?? []
    if (messages.length > 0) return messages
  }
  return []
}

export async function beginMembership({ beginnings }: FastifyInstance, tx: Tx, accepted: Accepted) {
  for (const beginning of beginnings) await beginning.accepted?.(tx, accepted)
}
