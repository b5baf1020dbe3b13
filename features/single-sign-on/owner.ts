import { type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import { ssoFactors } from '../../drizzle/tables/single-sign-on.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { account, member, type Proof, proofOfSession, setUpsOf, unmetRequirement } from '../accounts/requirements.ts'
import type { Session } from '../auth/reauthentication/index.ts'

export const stopRequiringFirst = () => new Refused(text('Stop requiring single sign-on first'))

/** As long as a change of an address can be undone: whoever steals a password cannot get in by setting up an app. */
const newFactorMs = 3 * 86_400_000

/**
 * Whether a factor that was set up then counts for an owner where single sign-on is required: it is older than the
 * requirement or 72 hours, or was set up in a session to which the account was open. Where the time is not known, the
 * user's newest factor decides. For a query of `account` and `member`.
 */
const counts = (app: FastifyInstance, setUpAt: SQL, now: SQL) => sql`(
  coalesce(${setUpAt}, (
    select max(factor.set_up_at) from ${users} person, lateral (${setUpsOf(app)}) factor
    where person.id = ${member.userId}
  )) <= greatest(${account.singleSignOnRequiredAt}, ${now} - ${newFactorMs} * interval '1 millisecond')
  or exists (
    select from ${ssoFactors} factor
    where factor.user_id = ${member.userId} and factor.account_id = ${account.id} and factor.set_up_at = ${setUpAt}))`

const nowOf = (app: FastifyInstance) => sql`${app.now().toISOString()}::timestamptz`

/** What this session lacks in the account that a query calls `account`, of the user that it calls `member`. */
const unmetIn = (app: FastifyInstance, token: string) =>
  unmetRequirement(app, proofOfSession(sql`${token}`, nowOf(app)))

/** An owner whose second factor counts gets in without single sign-on. */
export const isExemptOwner = (app: FastifyInstance, { twoFactors, twoFactorsSince, now }: Proof) =>
  sql`(${member.role} = 'owner' and ${twoFactors} and ${counts(app, twoFactorsSince, now)})`

/**
 * Of an owner to whom this session does not open the account: whether a second factor of theirs would, or else from
 * when on. Undefined for others, and without a factor.
 */
export async function ownersFactor(app: FastifyInstance, session: Session, accountId: number) {
  const [found] = await findOwnersFactors(app, session, sql`${account.id} = ${accountId}`)
  if (!found) return undefined
  return found.counts ? { counts: true } : { countsFrom: new Date(found.oldest + newFactorMs) }
}

/** The account with this slug, if this session lacks single sign-on there, be there a provider or not. */
export async function accountClosedTo(app: FastifyInstance, { userId, token }: Session, slug: string) {
  const { rows } = await app.db.execute<{ id: string; slug: string }>(sql`
    select account.id, account.slug
    from ${memberships} member join ${accounts} account on account.id = member.account_id
    where member.user_id = ${userId} and account.slug = ${slug} and ${unmetIn(app, token)} = 'single-sign-on'`)
  return rows[0] && { id: Number(rows[0].id), slug: rows[0].slug }
}

/** Whether there is an account that another second factor than this session's would open. */
export async function wantsAnotherFactor(app: FastifyInstance, session: Session) {
  const found = await findOwnersFactors(app, session, sql`${account.requireSingleSignOn}`)
  return found.some(({ counts }) => counts)
}

async function findOwnersFactors(app: FastifyInstance, { userId, token }: Session, which: SQL) {
  const { rows } = await app.db.execute<{ counts: boolean; oldest: number }>(sql`
    select bool_or(${counts(app, sql`factor.set_up_at`, nowOf(app))}) as counts,
      (extract(epoch from min(factor.set_up_at)) * 1000)::float8 as oldest
    from ${memberships} member join ${accounts} account on ${account.id} = ${member.accountId}
      join ${users} person on person.id = ${member.userId}, lateral (${setUpsOf(app)}) factor
    where ${member.userId} = ${userId} and ${member.role} = 'owner' and ${which}
      and ${unmetIn(app, token)} = 'single-sign-on'
    group by ${account.id}`)
  return rows
}

/** For a factor that is being set up: it counts in each account that is open to the session. */
export async function keepOpenFactor(app: FastifyInstance, tx: Tx, { userId, token }: Session, setUpAt: Date) {
  await tx.execute(sql`
    insert into ${ssoFactors} (user_id, account_id, set_up_at)
    select ${member.userId}, ${account.id}, ${setUpAt.toISOString()}
    from ${memberships} member join ${accounts} account on ${account.id} = ${member.accountId}
    where ${member.userId} = ${userId} and ${account.requireSingleSignOn} and ${unmetIn(app, token)} is null
    on conflict do nothing`)
}
