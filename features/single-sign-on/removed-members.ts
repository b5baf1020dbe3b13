import { and, eq, inArray, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, users } from '../../drizzle/schema.ts'
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

/** For a removal by somebody else. The account must be locked. */
export async function rememberRemoval({ tokens, now }: Tools, tx: Tx, member: Member) {
  const { accountId } = member
  const createdAt = now()
  const rows = (await tracesOf(tx, member)).map((trace) => ({
    accountId,
    digest: tokens.derive('removal', inAccount(accountId, trace)),
    createdAt,
  }))
  const target = [removedMembers.accountId, removedMembers.digest]
  if (rows.length > 0) await tx.insert(removedMembers).values(rows).onConflictDoUpdate({ target, set: { createdAt } })
}

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
