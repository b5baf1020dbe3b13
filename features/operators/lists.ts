import { and, asc, desc, eq, gt, isNull, max, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import {
  accounts,
  invitations,
  memberships,
  operatorLog,
  secondFactors,
  sessions,
  users,
} from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { pageOf, searchIn } from '../../plugins/lists.ts'
import { isOperator } from '../auth/operators.ts'
import { identitiesOf, passkeysOf } from '../auth/sign-in-methods.ts'
import { ssoIdentitiesOf } from '../auth/single-sign-on/identities.ts'
import { waysIn } from '../auth/ways-in.ts'

const pageSize = 50

type Wanted = { q?: string; before?: string }

const earlier = (id: SQLWrapper, { before }: Wanted) => (before ? sql`${id} < ${before}::bigint` : undefined)

/** Digits are an id. Anything else is how one of the texts begins, in any case, for which each has an index. */
function isNamed(id: SQLWrapper, texts: SQLWrapper[], wanted: Wanted): SQL | undefined {
  const q = searchIn(wanted.q)
  if (q === '') return undefined
  if (/^\d+$/.test(q)) return q.length <= 15 ? sql`${id} = ${q}::bigint` : sql`false`
  const beginning = `${q.replace(/[\\%_]/g, '\\$&')}%`
  return or(...texts.map((text) => sql`${text} like lower(${beginning})`))
}

export async function findUsers(db: Database, wanted: Wanted) {
  const named = isNamed(users.id, [users.email, sql`lower(${users.name})`], wanted)
  const rows = await db
    .select()
    .from(users)
    .where(and(named, earlier(users.id, wanted)))
    .orderBy(desc(users.id))
    .limit(pageSize + 1)
  return pageOf(rows, pageSize)
}

export async function findAccounts(db: Database, wanted: Wanted) {
  const named = isNamed(accounts.id, [accounts.slug, sql`lower(${accounts.name})`], wanted)
  const rows = await db
    .select()
    .from(accounts)
    .where(and(named, earlier(accounts.id, wanted)))
    .orderBy(desc(accounts.id))
    .limit(pageSize + 1)
  return pageOf(rows, pageSize)
}

export async function findLog(db: Database, wanted: Wanted) {
  const rows = await db
    .select({ entry: operatorLog, operatorName: users.name })
    .from(operatorLog)
    .leftJoin(users, eq(users.id, operatorLog.operatorId))
    .where(earlier(operatorLog.id, wanted))
    .orderBy(desc(operatorLog.id))
    .limit(pageSize + 1)
  return pageOf(
    rows.map(({ entry, operatorName }) => ({ ...entry, operatorName })),
    pageSize,
  )
}

export async function findUser(db: Database, id: number) {
  const { lockedUntil } = secondFactors
  const isLocked = sql`${users.secondFactorAt} is not null and ${lockedUntil} > now()`
  const [row] = await db
    .select({ user: users, factorLockedUntil: sql`case when ${isLocked} then ${lockedUntil} end`.mapWith(lockedUntil) })
    .from(users)
    .leftJoin(secondFactors, eq(secondFactors.userId, users.id))
    .where(eq(users.id, id))
  if (!row) return undefined
  const [seen] = await db
    .select({ at: max(sessions.lastSeenAt) })
    .from(sessions)
    .where(eq(sessions.userId, id))
  const factorLockedUntil: Date | null = row.factorLockedUntil
  return { ...row.user, factorLockedUntil, lastSeenAt: seen?.at ?? null, isOperator: isOperator(row.user) }
}

/** As `npm run users -- list` names them. */
export async function waysOf(db: Database, user: typeof users.$inferSelect) {
  const providers = new Set((await identitiesOf(db, user.id)).map(({ provider }) => provider))
  const passkeys = (await passkeysOf(db, user.id)).length
  const singleSignOns = (await ssoIdentitiesOf(db, user.id)).length
  const hasPassword = user.passwordDigest !== null
  return waysIn({ ...user, hasPassword, passkeys, providers: [...providers], singleSignOns })
}

/** A page of members in the order they joined, by the ids of their memberships, with those of users. */
export async function membersOf(db: Database, accountId: number, after = 0) {
  const rows = await db
    .select({ id: memberships.id, userId: users.id, name: users.name, email: users.email, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.accountId, accountId), gt(memberships.id, after)))
    .orderBy(asc(memberships.id))
    .limit(pageSize + 1)
  const { page, next } = pageOf(rows, pageSize)
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
