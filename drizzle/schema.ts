import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
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

// All tables are in one file: they reference each other in a cycle, and this way the data model fits on one page.
// Column names are camelCase here and snake_case in the database (Drizzle's `casing`).

const id = () => bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()
const reference = () => bigint({ mode: 'number' })
const moment = () => timestamp({ withTimezone: true, precision: 3 })
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const timestamps = {
  createdAt: moment().notNull().defaultNow(),
  updatedAt: moment()
    .notNull()
    .defaultNow()
    .$onUpdate(() => sql`now()`),
}

/**
 * `emailRevision` counts changes of the address, so a link to an old one stays invalid even after A→B→A.
 * `secondFactorAt` is set while a password alone is not enough to sign in. It is in this table because every sign-in
 * reads and locks this row anyway. `passkeyHandle` identifies the user to authenticators. It is random, so it reveals
 * nothing. `lastAccountId` is a hint and may refer to a deleted account: with a foreign key, visits and account
 * deletions would block each other. `verifiedAt` is when an address was last proved: what was added to sign in with
 * before that may be a stranger's. It outlives a change of the address, so whoever has none never proved any.
 * Without `passwordDigest` nobody signs in with a password: the person uses a provider or a passkey. `picture` is the
 * key of the picture: every page reads this row anyway, and needs no join to name it.
 */
export const users = pgTable('users', {
  id: id(),
  name: text().notNull(),
  email: text().notNull().unique(),
  verified: boolean().notNull().default(false),
  verifiedAt: moment(),
  passwordDigest: text(),
  emailRevision: integer().notNull().default(0),
  secondFactorAt: moment(),
  passkeyHandle: text(),
  picture: text(),
  language: text(),
  lastAccountId: reference(),
  ...timestamps,
})

/**
 * The token serves as the id in URLs and pages. The cookie adds a signature, so the token alone gives no access.
 * `method` is how the session began (plugins/security/session-method.ts).
 */
export const sessions = pgTable(
  'sessions',
  {
    token: text().primaryKey(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    userAgent: text().notNull(),
    ipAddress: text().notNull(),
    method: text().notNull().default('password'),
    createdAt: moment().notNull().defaultNow(),
    lastSeenAt: moment().notNull().defaultNow(),
  },
  (table) => [index().on(table.userId, table.createdAt)],
)

/** Previous addresses of users. The notice of a change is sent there, and its job contains only an id. */
export const emailChanges = pgTable(
  'email_changes',
  {
    id: id(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    previousEmail: text().notNull(),
    /** When it was verified first. Null for changes from before this was recorded. */
    previousVerifiedAt: moment(),
    createdAt: moment().notNull().defaultNow(),
  },
  (table) => [index().on(table.userId)],
)

/**
 * Codes from an authenticator app. The row outlives the secret, so used time steps stay used and wrong guesses stay
 * counted. `setupSecret` waits for confirmation. `uses` counts codes that led to a sign-in, `locks` how often in a row
 * wrong codes have locked the factor.
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
  locks: integer().notNull().default(0),
  lockedUntil: moment(),
})

/**
 * Public keys of authenticators. `syncable` never changes, `synced` is updated at each use. `counter` is the
 * authenticator's count at its last use.
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

/** Passkey challenges that have been answered, kept until they expire. */
export const spentChallenges = pgTable(
  'spent_challenges',
  { challenge: text().primaryKey(), expiresAt: moment().notNull() },
  (table) => [index().on(table.expiresAt)],
)

/**
 * Who a person is to a provider: its issuer and its subject, and nothing else. Email and name are those that it told
 * last, for the person to recognize it. They identify nobody.
 */
export const identities = pgTable(
  'identities',
  {
    id: id(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: text().notNull(),
    issuer: text().notNull(),
    subject: text().notNull(),
    email: text(),
    name: text(),
    createdAt: moment().notNull().defaultNow(),
    lastUsedAt: moment(),
  },
  (table) => [uniqueIndex().on(table.issuer, table.subject), index().on(table.userId, table.id)],
)

/** Sign-ins with a provider that came back, kept until they expire. */
export const spentStarts = pgTable(
  'spent_starts',
  { state: text().primaryKey(), expiresAt: moment().notNull() },
  (table) => [index().on(table.expiresAt)],
)

/** Digests only, since codes are shown once. Used codes are deleted. */
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
  picture: text(),
  ...timestamps,
})

/**
 * Pictures of users and accounts, 256 pixels wide, as WebP. The key is random, and a new picture has a new one, so
 * browsers may keep them for ever. The owner's row has it, too.
 */
export const pictures = pgTable(
  'pictures',
  {
    key: text().primaryKey(),
    userId: reference().references(() => users.id, { onDelete: 'cascade' }),
    accountId: reference().references(() => accounts.id, { onDelete: 'cascade' }),
    bytes: bytea().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex().on(table.userId),
    uniqueIndex().on(table.accountId),
    check('pictures_have_one_owner', sql`num_nonnulls(${table.userId}, ${table.accountId}) = 1`),
  ],
)

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
    index().on(table.userId), // replaced by the next one, and dropped one version later
    index().on(table.userId, table.id), // for the account switcher
    index().on(table.accountId, table.id), // for the member list
    check('memberships_role_is_known', isRole(table.role)),
  ],
)

/** Stores only the digest of the token. The token itself exists only in the mail, whose latest job is `mailId`. */
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
    index().on(table.accountId, table.id), // for the list of an account, and its deletion
    index().on(table.inviterId),
    index().on(table.accepterId),
    index().on(table.email),
    check('invitations_role_is_known', isRole(table.role)),
  ],
)

/**
 * What happened, to whom (`userId`), where (`accountId`) and by whom. No foreign keys, because the history outlives the
 * rows it mentions. Names are as of that time. Traces of a deleted user are anonymized.
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
    // Both lists are read by position. The indexes are partial: most rows concern a single user and go into one index
    // only.
    index().on(table.userId, table.id).where(sql`${table.userId} is not null`),
    index().on(table.accountId, table.id).where(sql`${table.accountId} is not null`),
    index('activities_done_to_others') // for anonymizing a deleted user
      .on(table.actorId)
      .where(sql`${table.actorId} is distinct from ${table.userId}`),
  ],
)

// The tables below hold nothing worth keeping: counters of a day at most, and current state. Migrations make them
// unlogged: no WAL, and empty after a crash.

export const rateLimits = pgTable(
  'rate_limits',
  { key: text().primaryKey(), hits: integer().notNull(), expiresAt: moment().notNull() },
  (table) => [index().on(table.expiresAt)],
)

/**
 * Who is in which room. Of a user's tabs, others see the state of the one that changed last. Heartbeats change no
 * indexed column and pages have free space, so updates happen in place.
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

/**
 * Messages stored but not yet sent, for a moment. No index, since all rows are read at once and users' transactions
 * write here.
 */
export const liveOutbox = pgTable('live_outbox', {
  id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  payload: text().notNull(),
})

/** Live messages too long for a NOTIFY, which is limited to 8,000 bytes. */
export const liveMessages = pgTable(
  'live_messages',
  { id: id(), payload: text().notNull(), createdAt: moment().notNull().defaultNow() },
  (table) => [index().on(table.createdAt)],
)
