import { and, desc, eq, gt, gte, inArray, isNull, max, or, type SQLWrapper, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { accounts, invitations, rateLimits, sessions, type User, users, wordsOfUser } from '../../drizzle/schema.ts'
import { operatorLog } from '../../drizzle/tables/operators.ts'
import { secondFactors } from '../../drizzle/tables/second-factor.ts'
import type { Database } from '../../plugins/database/index.ts'
import { Cursor } from '../../plugins/forms/parameters.ts'
import { deadJobs, queues } from '../../plugins/jobs/queues.ts'
import { plainLetters } from '../../plugins/languages/plain.ts'
import { pageOf, pageSize, searchIn } from '../../plugins/lists.ts'
import { keyOf } from '../../plugins/security/limits/index.ts'
import { limitOf } from '../../plugins/security/limits/table.ts'
import { lastSeenAt, membersOf } from '../accounts/members.ts'
import { isOperator } from './operators.ts'
import { presentAccountRow, presentEntry, presentUserRow } from './props.ts'

export const SearchQuery = Type.Object({ q: Type.Optional(Type.String()), before: Cursor })
type Search = { q?: string; before?: string }

const isEarlier = (id: SQLWrapper, { before }: Search) => (before ? sql`${id} < ${before}::bigint` : undefined)

// For each of these conditions there is an index.

const hasId = (id: SQLWrapper, q: string) => (/^\d{1,15}$/.test(q) ? sql`${id} = ${q}::bigint` : undefined)

const begins = (text: SQLWrapper, q: string) => sql`${text} like lower(${`${q.replace(/[\\%_]/g, '\\$&')}%`})`

/** Whether each word begins a word of the name or the address, without case and accents. */
function hasWords(q: string) {
  const words = plainLetters(q).split(/\s+/).filter(Boolean)
  const query = words.map((word) => `'${word.replace(/['\\]/g, '$&$&')}':*`).join(' & ')
  return sql`${wordsOfUser(users)} @@ ${query}::tsquery`
}

/** As in `Ada Lovelace <ada@example.com>`, or with blanks. Undefined if it is none, as in `Ada`. */
function addressIn(q: string) {
  const address = /<([^<>]*)>/.exec(q)?.[1] ?? q
  return address.includes('@') ? address.replace(/\s/g, '') : undefined
}

function isUser(q: string) {
  const address = addressIn(q)
  if (address) return begins(users.email, address)
  return or(hasId(users.id, q), begins(users.email, q), hasWords(q))
}

const isAccount = (q: string) =>
  or(hasId(accounts.id, q), begins(accounts.slug, q), begins(sql`lower(${accounts.name})`, q))

/** A page of users, newest first, and the one that shows whether another page follows. */
export async function findUsers(db: Database, searched: Search) {
  const q = searchIn(searched.q)
  const rows = await db
    .select()
    .from(users)
    .where(and(q ? isUser(q) : undefined, isEarlier(users.id, searched)))
    .orderBy(desc(users.id))
    .limit(pageSize + 1)
  return pageOf(rows.map(presentUserRow), pageSize)
}

export async function findAccounts(db: Database, searched: Search) {
  const q = searchIn(searched.q)
  const rows = await db
    .select()
    .from(accounts)
    .where(and(q ? isAccount(q) : undefined, isEarlier(accounts.id, searched)))
    .orderBy(desc(accounts.id))
    .limit(pageSize + 1)
  return pageOf(rows.map(presentAccountRow), pageSize)
}

export async function findLog(db: Database, searched: Search) {
  const rows = await db
    .select({ id: operatorLog.id, entry: operatorLog, operatorName: users.name })
    .from(operatorLog)
    .leftJoin(users, eq(users.id, operatorLog.operatorId))
    .where(isEarlier(operatorLog.id, searched))
    .orderBy(desc(operatorLog.id))
    .limit(pageSize + 1)
  const { page, next } = pageOf(rows, pageSize)
  return { page: page.map(presentEntry), next }
}

export async function findUser(db: Database, id: number) {
  const { lockedUntil } = secondFactors
  const isLocked = sql`${users.secondFactorAt} is not null and ${lockedUntil} > now()`
  const [row] = await db
    .select({
      user: users,
      factorLockedUntil: sql<Date | null>`case when ${isLocked} then ${lockedUntil} end`.mapWith(lockedUntil),
      lastSeenAt: lastSeenAt(users.id).mapWith(sessions.lastSeenAt),
    })
    .from(users)
    .leftJoin(secondFactors, eq(secondFactors.userId, users.id))
    .where(eq(users.id, id))
  return row && { ...row.user, ...row, isOperator: isOperator(row.user) }
}

/** Until when too many wrong guesses keep this person from being let in, from any browser that doesn't know them. */
export async function pausedUntil(db: Database, { id, email }: { id: number; email: string }) {
  const counts = [keyOf('guess', email), keyOf('challenge', id)]
  const isOver = and(inArray(rateLimits.key, counts), gte(rateLimits.hits, limitOf('guess').max))
  const [row] = await db
    .select({ until: max(rateLimits.expiresAt) })
    .from(rateLimits)
    .where(and(isOver, gt(rateLimits.expiresAt, sql`now()`)))
  return row?.until ?? null
}

/** A page of members in the order they joined, by the ids of their memberships, with those of users. */
export async function membersWithUserIds(app: FastifyInstance, accountId: number, after: number) {
  const { page, next } = await membersOf(app, accountId, after)
  return { page: page.map(({ userId, name, email, role }) => ({ id: userId, name, email, role })), next }
}

export async function openInvitationsOf({ db, now }: FastifyInstance, accountId: number) {
  const isOpen = and(isNull(invitations.acceptedAt), gt(invitations.expiresAt, now()))
  const rows = await db
    .select({ email: invitations.email, role: invitations.role, expiresAt: invitations.expiresAt })
    .from(invitations)
    .where(and(eq(invitations.accountId, accountId), isOpen))
    .orderBy(desc(invitations.id))
  return rows.map(({ email, role, expiresAt }) => ({ email, role, expires_at: expiresAt.toISOString() }))
}

type Unfinished = { job: string; isDead: boolean; createdAt: Date }

/** The jobs that wait, or were given up, for this user or their address, newest first. */
export async function unfinishedOf(
  jobs: FastifyInstance['jobs'],
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<Unfinished[]> {
  const { rows } = await (await jobs.boss()).getDb().executeSql(
    `select data->>'job' as job, name = $1 as "isDead", created_on as "createdAt" from pgboss.job
    where name = any($2::text[]) and state < 'active' and not blocked
      and (data->>'userId' = $3::text or data->>'email' = $4::text)
    order by created_on desc limit 50`,
    [deadJobs, queues, String(id), email],
  )
  return rows
}
