import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

// All tables stand in one file: they refer to each other in a ring, and this is the one-page picture of the data.
// Columns are written in camelCase here and are snake_case in the database (Drizzle's `casing`).

const id = () => bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()
const reference = () => bigint({ mode: 'number' })
const moment = () => timestamp({ withTimezone: true, precision: 3 })
const timestamps = {
  createdAt: moment().notNull().defaultNow(),
  updatedAt: moment()
    .notNull()
    .defaultNow()
    .$onUpdate(() => sql`now()`),
}

/**
 * `emailRevision` counts changes of the address, so that a link to an old one stays dead even after A→B→A. `secondFactorAt` says since when a
 * password alone signs nobody in: it stands here, because each sign-in reads and locks this row anyway. `passkeyHandle` is what authenticators know
 * a user by: random, so that it tells nothing. `lastAccountId` is a hint, which may outlive its account: with a constraint visits would wait for
 * deletions of accounts, and those for visits.
 */
export const users = pgTable('users', {
  id: id(),
  name: text().notNull(),
  email: text().notNull().unique(),
  verified: boolean().notNull().default(false),
  passwordDigest: text().notNull(),
  emailRevision: integer().notNull().default(0),
  secondFactorAt: moment(),
  passkeyHandle: text(),
  lastAccountId: reference(),
  ...timestamps,
})

/** The token is the id in addresses and pages. The cookie signs it, so that a token alone opens nothing. */
export const sessions = pgTable(
  'sessions',
  {
    token: text().primaryKey(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    userAgent: text().notNull(),
    ipAddress: text().notNull(),
    createdAt: moment().notNull().defaultNow(),
    lastSeenAt: moment().notNull().defaultNow(),
  },
  (table) => [index().on(table.userId, table.createdAt)],
)

/** Addresses that users had: the notice of a change goes there, and its job holds no more than an id. */
export const emailChanges = pgTable(
  'email_changes',
  {
    id: id(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    previousEmail: text().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (table) => [index().on(table.userId)],
)

/**
 * Codes from an authenticator app. The row outlives the secret: a time step that was accepted once stays spent for this user, and who guesses wrong
 * cannot start over. `setupSecret` waits to be confirmed; `uses` counts codes that signed somebody in.
 */
export const secondFactors = pgTable('second_factors', {
  userId: reference()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  secret: text(),
  setupSecret: text(),
  setupAt: moment(),
  lastStep: integer(),
  uses: integer().notNull().default(0),
  wrongCodes: integer().notNull().default(0),
  lockedUntil: moment(),
})

/**
 * Public keys of authenticators. Whether one may be copied (`syncable`) is settled when it is made; whether it is (`synced`) each use tells. `counter`
 * is what the authenticator counted at its last use.
 */
export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    credentialId: text().notNull().unique(),
    publicKey: text().notNull(),
    counter: bigint({ mode: 'number' }).notNull(),
    name: text().notNull(),
    syncable: boolean().notNull(),
    synced: boolean().notNull(),
    createdAt: moment().notNull().defaultNow(),
    lastUsedAt: moment(),
  },
  (table) => [index().on(table.userId, table.id)],
)

/** Challenges of passkeys that were answered, until they are too old to be answered again. */
export const spentChallenges = pgTable(
  'spent_challenges',
  { challenge: text().primaryKey(), expiresAt: moment().notNull() },
  (table) => [index().on(table.expiresAt)],
)

/** Only digests: the codes were shown once. A spent one is gone. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    digest: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.digest] })],
)

export const accounts = pgTable('accounts', {
  id: id(),
  name: text().notNull(),
  slug: text().notNull().unique(),
  personal: boolean().notNull().default(false),
  requireSecondFactor: boolean().notNull().default(false),
  ...timestamps,
})

export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

const isRole = (column: AnyPgColumn) => sql`${column} in ('owner', 'admin', 'member')`

export const memberships = pgTable(
  'memberships',
  {
    id: id(),
    accountId: reference()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text({ enum: roles }).notNull(),
    ...timestamps,
  },
  (table) => [
    uniqueIndex().on(table.accountId, table.userId),
    index().on(table.userId),
    index().on(table.accountId, table.id), // members are listed by joining
    check('memberships_role_is_known', isRole(table.role)),
  ],
)

/** Only the digest of a token is stored; the token itself exists in the mail alone, the newest of which is the job `mailId`. */
export const invitations = pgTable(
  'invitations',
  {
    id: id(),
    accountId: reference()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    inviterId: reference().references(() => users.id, { onDelete: 'set null' }),
    email: text().notNull(),
    mailId: uuid(),
    role: text({ enum: roles }).notNull(),
    tokenDigest: text().unique(),
    expiresAt: moment().notNull(),
    acceptedAt: moment(),
    accepterId: reference().references(() => users.id, { onDelete: 'cascade' }),
    ...timestamps,
  },
  (table) => [
    uniqueIndex('invitations_one_pending_for_an_address')
      .on(table.accountId, table.email)
      .where(sql`${table.acceptedAt} is null`),
    index().on(table.inviterId),
    index().on(table.accepterId),
    index().on(table.email),
    check('invitations_role_is_known', isRole(table.role)),
  ],
)

/**
 * What happened, to whom (`userId`), where (`accountId`) and by whose doing. No foreign keys: history outlives what it tells of. Names are those of
 * the time; what a deleted user leaves is scrubbed.
 */
export const activities = pgTable(
  'activities',
  {
    id: id(),
    type: text().notNull(),
    actorId: reference(),
    actorName: text(),
    userId: reference(),
    accountId: reference(),
    details: jsonb().$type<Record<string, unknown>>().notNull(),
    ipAddress: text(),
    userAgent: text(),
    createdAt: moment().notNull().defaultNow(),
  },
  (table) => [
    // Both lists are read by position. Partial, so that most of what is written, which is of one person alone, goes into one index.
    index().on(table.userId, table.id).where(sql`${table.userId} is not null`),
    index().on(table.accountId, table.id).where(sql`${table.accountId} is not null`),
    index('activities_done_to_others') // whom a deletion scrubs
      .on(table.actorId)
      .where(sql`${table.actorId} is distinct from ${table.userId}`),
  ],
)

// The tables below hold nothing that is worth keeping: counts of a day at most, and what is going on. Migrations make them unlogged: no WAL, emptied by a crash.

export const rateLimits = pgTable(
  'rate_limits',
  { key: text().primaryKey(), hits: integer().notNull(), expiresAt: moment().notNull() },
  (table) => [index().on(table.expiresAt)],
)

/**
 * Who is in which room of the live updates. Of a person's tabs the one that changed last says what others see. No index on what a heartbeat changes, and
 * room on each page: so rows change in place.
 */
export const presences = pgTable(
  'presences',
  {
    identifier: text().notNull(),
    userId: reference().notNull(),
    tabId: text().notNull(),
    state: jsonb().notNull(),
    changedAt: moment().notNull().defaultNow(),
    expiresAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.identifier, table.userId, table.tabId] })],
)

/** What was said and has not been told yet, for a moment. Without an index, since all of it is read at once and people's transactions wait for it. */
export const liveOutbox = pgTable('live_outbox', {
  id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  payload: text().notNull(),
})

/** Live messages too long for one NOTIFY, which carries 8,000 bytes at most. */
export const liveMessages = pgTable(
  'live_messages',
  { id: id(), payload: text().notNull(), createdAt: moment().notNull().defaultNow() },
  (table) => [index().on(table.createdAt)],
)
