import { and, asc, eq, gt, inArray, notExists, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, activities, emailChanges, users } from '../../drizzle/schema.ts'
import { removedMembers, ssoIdentities } from '../../drizzle/tables/single-sign-on.ts'
import type { Tx } from '../../plugins/database/index.ts'

// Who was removed stays removed, also as another user. Only keyed digests are stored, without a reference to the user.

type Tools = Pick<FastifyInstance, 'tokens' | 'now'>
type Member = { accountId: number; userId: number }

/** All by which a provider could bring a user back: their addresses, and whom it knows them as. */
async function tracesOf(tx: Tx, { accountId, userId }: Member) {
  const { rows } = await tx.execute<{ trace: string }>(sql`
    select 'email ' || email as trace from ${users} where id = ${userId}
    union select 'email ' || proved_email from ${users} where id = ${userId} and proved_email is not null
    union select 'email ' || previous_email from ${emailChanges} where user_id = ${userId}
    union select 'subject ' || subject from ${ssoIdentities}
      where account_id = ${accountId} and user_id = ${userId} and subject is not null`)
  return rows.map(({ trace }) => trace)
}

const inAccount = (accountId: number, trace: string) => `${accountId} ${trace}`

/**
 * For a removal by somebody else, and again when they come back with what was not known of them: who they are to a
 * provider, or another address. The account must be locked.
 */
export async function rememberRemoval({ tokens, now }: Tools, tx: Tx, member: Member, createdAt = now()) {
  const { accountId } = member
  const rows = (await tracesOf(tx, member)).map((trace) => ({
    accountId,
    digest: tokens.derive('removal', inAccount(accountId, trace)),
    createdAt,
  }))
  const target = [removedMembers.accountId, removedMembers.digest]
  if (rows.length > 0) await tx.insert(removedMembers).values(rows).onConflictDoUpdate({ target, set: { createdAt } })
}

declare module '../../plugins/jobs/index.ts' {
  interface Jobs {
    remember_removals: Record<string, never>
  }
}

/**
 * Keeps removals, also those of before there were digests. A process that has been through all accounts does nothing
 * more.
 */
export function defineMemory(app: FastifyInstance) {
  app.endings.add({
    name: 'single-sign-on',
    on: { memberRemoved: (tx, member) => rememberRemoval(app, tx, member) },
  })
  let isDone = false
  app.jobs.define('remember_removals', {
    cron: '*/5 * * * *',
    async work(_, { signal }) {
      let after: number | null = isDone ? null : 0
      while (after !== null && !signal.aborted) after = await rememberRecorded(app, after)
      isDone ||= after === null
    },
  })
}

const batchSize = 100 // accounts, which are locked as briefly
const kept = '' // in the place of a digest: removals of before there were digests are kept

/**
 * Keeps who was removed from the next accounts before there were digests, as far as it is recorded. Returns the last
 * account, or null once there are no more.
 */
const rememberRecorded = (app: Tools & Pick<FastifyInstance, 'db'>, after: number) =>
  app.db.transaction(async (tx) => {
    const isKept = and(eq(removedMembers.accountId, accounts.id), eq(removedMembers.digest, kept))
    const next = await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(gt(accounts.id, after), notExists(tx.select().from(removedMembers).where(isKept))))
      .orderBy(asc(accounts.id))
      .limit(batchSize)
      .for('no key update')
    const ids = next.map(({ id }) => id)
    if (ids.length === 0) return null
    const { rows } = await tx.execute<{ account_id: string; user_id: string; at: string }>(sql`
      select gone.account_id, gone.user_id, max(gone.created_at) as at
      from ${activities} gone
      where gone.account_id = any(${sql.param(ids)}::bigint[]) and gone.type = 'member_removed' and gone.user_id is not null
        and not exists (
          select from ${activities} back where back.account_id = gone.account_id and back.user_id = gone.user_id
            and back.type in ('account_created', 'member_joined') and back.id > gone.id)
      group by gone.account_id, gone.user_id`)
    for (const { account_id, user_id, at } of rows)
      await rememberRemoval(app, tx, { accountId: Number(account_id), userId: Number(user_id) }, new Date(at))
    await tx.insert(removedMembers).values(ids.map((accountId) => ({ accountId, digest: kept, createdAt: app.now() })))
    return ids.at(-1) ?? null
  })

/** When this user was removed, whoever they were then. The account must be locked. */
export async function removalOf({ tokens }: Tools, tx: Tx, member: Member) {
  const [removed] = await tx
    .select({ at: sql<Date>`max(${removedMembers.createdAt})`.mapWith(removedMembers.createdAt) })
    .from(removedMembers)
    .where(await isOf(tokens, tx, member))
  return removed?.at ?? undefined
}

/** Once an invitation of theirs is accepted. */
export async function forgetRemoval({ tokens }: Tools, tx: Tx, member: Member) {
  await tx.delete(removedMembers).where(await isOf(tokens, tx, member))
}

async function isOf(tokens: Tools['tokens'], tx: Tx, member: Member) {
  const { accountId } = member
  const traces = await tracesOf(tx, member)
  const digests = traces.flatMap((trace) => tokens.deriveWithEachKey('removal', inAccount(accountId, trace)))
  return and(eq(removedMembers.accountId, accountId), inArray(removedMembers.digest, digests))
}
