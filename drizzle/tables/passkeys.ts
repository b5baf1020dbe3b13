import { bigint, boolean, index, pgTable, text } from 'drizzle-orm/pg-core'
import { id, timestamptz } from './columns.ts'
import { ofUser } from './users.ts'

/** `syncable` never changes, `synced` is updated at each use. `counter` is the authenticator's at its last use. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: ofUser().notNull(),
    credentialId: text().notNull().unique(),
    publicKey: text().notNull(),
    counter: bigint({ mode: 'number' }).notNull(),
    name: text().notNull(),
    syncable: boolean().notNull(),
    synced: boolean().notNull(),
    createdAt: timestamptz().notNull().defaultNow(),
    lastUsedAt: timestamptz(),
  },
  (table) => [index().on(table.userId, table.id)],
)

export type Passkey = typeof passkeys.$inferSelect
