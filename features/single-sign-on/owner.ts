import { type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import { ssoFactors } from '../../drizzle/tables/single-sign-on.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { counts, newFactorMs, passPolicy, proofOfSession, unmetRequirement } from '../accounts/access.ts'
import type { Session } from '../auth/reauthentication/index.ts'

export const stopRequiringFirst = () => new Refused(text('Stop requiring single sign-on first'))

/** What this session lacks in the account that a query calls `account`, of the user that it calls `member`. */
function unmetIn(app: FastifyInstance, token: string) {
  const passes = passPolicy(app)
  return unmetRequirement(proofOfSession(sql`${token}`, passes), passes)
}

/**
 * Of an owner to whom this session does not open the account: whether a second factor of theirs would, or else from when
 * on. Undefined for others, and without a factor.
 */
export async function ownersFactor(app: FastifyInstance, session: Session, accountId: number) {
  const [found] = await findOwnersFactors(app, session, sql`account.id = ${accountId}`)
  if (!found) return undefined
  return found.counts ? { counts: true } : { countsFrom: new Date(found.oldest + newFactorMs) }
}

/** The account with this slug, if this session lacks single sign-on there, be there a provider or not. */
export async function accountClosedTo(app: FastifyInstance, { userId, token }: Session, slug: string) {
  const { rows } = await app.db.execute<{ id: string; slug: string }>(sql`
    select account.id, account.slug
    from ${memberships} member join ${accounts} account on account.id = member.account_id
    where member.user_id = ${userId} and account.slug = ${slug} and ${unmetIn(app, token)} = 'single_sign_on'`)
  return rows[0] && { id: Number(rows[0].id), slug: rows[0].slug }
}

/** Whether there is an account that another second factor than this session's would open. */
export async function wantsAnotherFactor(app: FastifyInstance, session: Session) {
  const found = await findOwnersFactors(app, session, sql`account.require_single_sign_on`)
  return found.some(({ counts }) => counts)
}

async function findOwnersFactors(app: FastifyInstance, { userId, token }: Session, which: SQL) {
  const { rows } = await app.db.execute<{ counts: boolean; oldest: number }>(sql`
    select bool_or(${counts(sql`factor.set_up_at`, passPolicy(app))}) as counts, 
      (extract(epoch from min(factor.set_up_at)) * 1000)::float8 as oldest
    from ${memberships} member join ${accounts} account on account.id = member.account_id, lateral (
      select who.second_factor_at as set_up_at from ${users} who
      where who.id = member.user_id and who.second_factor_at is not null
      union all
      select passkey.created_at from ${passkeys} passkey where passkey.user_id = member.user_id) factor
    where member.user_id = ${userId} and member.role = 'owner' and ${which}
      and ${unmetIn(app, token)} = 'single_sign_on'
    group by account.id`)
  return rows
}

/** For a factor that is being set up: it counts in each account that is open to the session. */
export async function keepOpenFactor(app: FastifyInstance, tx: Tx, { userId, token }: Session, setUpAt: Date) {
  await tx.execute(sql`
    insert into ${ssoFactors} (user_id, account_id, set_up_at)
    select member.user_id, account.id, ${setUpAt.toISOString()}
    from ${memberships} member join ${accounts} account on account.id = member.account_id
    where member.user_id = ${userId} and account.require_single_sign_on and ${unmetIn(app, token)} is null
    on conflict do nothing`)
}
