import { type SQLWrapper, sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { id, reference, timestamps, timestamptz } from './columns.ts'

/**
 * `emailRevision` counts changes of the address, so a link to an old one stays invalid even after A→B→A.
 * `secondFactorAt` is set while a password alone is not enough. `verifiedAt` is when an address was last proved: what
 * was added to sign in with before that may be somebody else's. `provedEmail` is the address that the person proved: a
 * verification link may be opened by a mail scanner. `lastAccountId` is a hint without a foreign key, with which visits
 * and account deletions would block each other. `search` is name and address as people type what they look for, written
 * by a trigger. A trigger empties `operatorSince` with each change of `secondFactorAt`. `suspensionReason` is for
 * operators alone.
 */
export const users = pgTable(
  'users',
  {
    id: id(),
    name: text().notNull(),
    email: text().notNull().unique(),
    verified: boolean().notNull().default(false),
    verifiedAt: timestamptz(),
    provedEmail: text(),
    passwordDigest: text(),
    emailRevision: integer().notNull().default(0),
    secondFactorAt: timestamptz(),
    passkeyHandle: text(),
    picture: text(),
    language: text(),
    lastAccountId: reference(),
    search: text(),
    operatorSince: timestamptz(),
    suspendedAt: timestamptz(),
    suspensionReason: text(),
    /** What they need not see again (features/accounts/first-steps.ts). */
    dismissed: text().array().notNull().default(sql`'{}'`),
    ...timestamps,
  },
  (table) => [
    // For operators, who search by the beginning of the address or of a word of the name.
    index('users_email_begins').on(table.email.op('text_pattern_ops')),
    index('users_words').using('gin', wordsOfUser(table)).with({ fastupdate: false }),
    index('users_never_verified') // for the sweeper
      .on(table.createdAt)
      .where(sql`not ${table.verified} and ${table.verifiedAt} is null`),
  ],
)

/**
 * Words of name and address, as an index has them for searches by the beginning. Postgres refuses words of more than
 * 2,046 bytes and empty ones, and could then store no user.
 */
export function wordsOfUser({ search, name, email }: Record<'search' | 'name' | 'email', SQLWrapper>) {
  const text = sql`left(coalesce(${search}, plain_letters(${name} || ' ' || ${email})), 511)`
  return sql`(array_to_tsvector(array_remove(string_to_array(${text}, ' '), '')))`
}

export type User = typeof users.$inferSelect

export const ofUser = () => reference().references(() => users.id, { onDelete: 'cascade' })

/** Previous addresses of users. The notice of a change is sent there, and its job contains only an id. */
export const emailChanges = pgTable(
  'email_changes',
  {
    id: id(),
    userId: ofUser().notNull(),
    previousEmail: text().notNull(),
    /** When it was verified first. Null for changes from before this was recorded. */
    previousVerifiedAt: timestamptz(),
    /** Whether the person had proved it, as `users.provedEmail` has it. */
    previousProved: boolean().notNull().default(false),
    createdAt: timestamptz().notNull().defaultNow(),
  },
  (table) => [index().on(table.userId), index().on(table.createdAt)], // the second for the sweeper
)
