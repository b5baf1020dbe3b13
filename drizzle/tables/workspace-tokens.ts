import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core'
import { invitations, ofAccount } from './accounts.ts'
import { id, reference } from './columns.ts'
import { tokenColumns } from './token-columns.ts'
import { users } from './users.ts'

/** What a token may be at most: everybody who makes one is as much. */
export const tokenRoles = ['admin', 'member'] as const

/**
 * Tokens with which programs act as a workspace. `makerId` created or last rolled it, `isException` says whether the
 * workspace required something then and let that session in all the same.
 */
export const workspaceTokens = pgTable(
  'workspace_tokens',
  {
    id: id(),
    accountId: ofAccount().notNull(),
    makerId: reference().references(() => users.id, { onDelete: 'set null' }),
    role: text({ enum: tokenRoles }).notNull(),
    ...tokenColumns(),
    isException: boolean().notNull(),
  },
  (table) => [
    index().on(table.accountId, table.id),
    index().on(table.makerId), // for what ends with a user
    index().on(table.expiresAt), // for the sweeper, and mails before the end
  ],
)
export type WorkspaceToken = typeof workspaceTokens.$inferSelect

/** Which token sent an invitation, and is to be withdrawn with it. */
export const workspaceTokenInvitations = pgTable(
  'workspace_token_invitations',
  {
    invitationId: reference()
      .primaryKey()
      .references(() => invitations.id, { onDelete: 'cascade' }),
    tokenId: reference()
      .notNull()
      .references(() => workspaceTokens.id, { onDelete: 'cascade' }),
  },
  (table) => [index().on(table.tokenId)],
)
