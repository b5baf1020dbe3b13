import { and, eq, not, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships, sessions, users } from '../../drizzle/schema.ts'
import type { List } from '../../plugins/composition.ts'
import type { Text } from '../../plugins/languages/text.ts'
import type { Path } from '../paths.ts'

// What workspaces ask of who gets in, and what sessions and tokens show for it. Options fill both lists with fragments
// of SQL for queries of `account` and `member`.

declare module 'fastify' {
  interface FastifyInstance {
    strongProofs: List<StrongProof>
    requirements: List<Requirement>
  }
}

export const account = alias(accounts, 'account')
export const member = alias(memberships, 'member')

/**
 * What a session or a token shows of its user. `shown` is the session's token, or what a token kept of its session.
 * `isException` is of a token of the account itself, which acts for no `member`: whether its session was let in as one.
 */
export type Proof = {
  twoFactors: SQL
  twoFactorsSince: SQL
  shown: { session: SQL } | { kept: SQL }
  isException?: SQL
  now: SQL
}

export type StrongProof = {
  name: string
  /** A select of `set_up_at`, of each thing by which the user `person` can make their sessions two factors. */
  setUps?: SQL
  /** Does all that `account` asks. */
  opens?(proof: Proof): SQL
  /** What a token keeps of the session in which it is created, for `opens`: ids. One proof keeps some. */
  kept?(sessionToken: string, now: Date): SQL
}

export type Requirement = {
  name: string
  /** The lowest is asked for first. */
  rank: number
  /** What the row of an account says. */
  required: keyof typeof facts
  unmet(proof: Proof): SQL
  /** Who gets in all the same. */
  exempts?(proof: Proof): SQL
  /** Where it is met. From there, people are led back. */
  path(slug: string): Path
  /** Of what has to be set up first: why they are there, in the place of the way back. */
  alert?(accountName: string): Text
  /** What invited people are told that they need. */
  invited?: Text
}

/** Until somebody registers what a row asks for, it is not asked. */
const facts = { requireSecondFactor: 'Two-factor authentication', requireSingleSignOn: 'Single sign-on' } as const

type Lists = Pick<FastifyInstance, 'requirements' | 'strongProofs'>

export async function warnOfUnknown({ db, log, requirements }: FastifyInstance) {
  const known = new Set([...requirements].map(({ required }) => required))
  for (const [fact, name] of Object.entries(facts) as [keyof typeof facts, string][]) {
    const requiring = known.has(fact) ? 0 : await db.$count(accounts, eq(accounts[fact], true))
    if (requiring === 0) continue
    const workspaces = requiring === 1 ? '1 workspace requires' : `${requiring} workspaces require`
    log.warn(`${name} is off, but ${workspaces} it: nothing asks for it now`)
  }
}

/** Whether a row of an account asks for anything. */
export const asks = ({ requirements }: Lists, row: Record<keyof typeof facts, boolean>) =>
  [...requirements].some(({ required }) => row[required])

/** What people who are invited into an account need. */
export const neededIn = ({ requirements }: Lists, row: Record<keyof typeof facts, boolean>) =>
  [...requirements].flatMap(({ required, invited }) => (invited && row[required] ? [invited] : []))

/** The name of what the account asks first, null if it is open to the member. */
export function unmetRequirement({ requirements, strongProofs }: Lists, proof: Proof) {
  const ranked = [...requirements].toSorted((one, other) => one.rank - other.rank)
  if (ranked.length === 0) return sql<string | null>`null::text`
  const isOpened = [...strongProofs].flatMap(({ opens }) => opens?.(proof) ?? [])
  const isExempt = ({ exempts }: Requirement) => exempts && (proof.isException ?? exempts(proof))
  const cases = ranked.map((each) => {
    const isUnmet = and(sql`${each.unmet(proof)}`, sql`${isExempt(each) ?? sql`false`} is not true`)
    return sql`when ${account[each.required]} and ${isUnmet} then ${each.name}::text`
  })
  return sql<string | null>`case
    when ${not(or(...ranked.map(({ required }) => account[required])) ?? sql`false`)} then null
    when ${or(sql`false`, ...isOpened)} then null
    ${sql.join(cases, sql` `)} end`
}

/** Of the session with this token. */
export const proofOfSession = (token: SQL, now: SQL): Proof => ({
  twoFactors: sessionHasTwoFactors(token),
  twoFactorsSince: sessionTwoFactorsSince(token),
  shown: { session: token },
  now,
})

/** Of rows of `sessions`. A passkey is two factors by itself. */
export const hasTwoFactors = sql<boolean>`(
  ${sessions.firstFactor} = 'passkey' or ${sessions.secondFactor} is not null)`

export const sessionHasTwoFactors = (token: SQL) =>
  sql<boolean>`(select ${hasTwoFactors} from ${sessions} where ${sessions.token} = ${token})`

export const sessionTwoFactorsSince = (token: SQL) =>
  sql<Date | null>`(select ${sessions.twoFactorsSince} from ${sessions} where ${sessions.token} = ${token})`

/** All that the user `person` has set up for a second factor, as a select of `set_up_at`. */
export function setUpsOf({ strongProofs }: Pick<Lists, 'strongProofs'>) {
  const selects = [...strongProofs].flatMap(({ setUps }) => setUps ?? [])
  const all = selects.length > 0 ? selects : [sql`select null::timestamptz as set_up_at where false`]
  return sql.join(all, sql` union all `)
}

/** A scalar subquery, so that Postgres looks up one user and never reads them all. */
export const hasSecondFactor = (lists: Pick<Lists, 'strongProofs'>, userId: SQLWrapper) =>
  sql<boolean>`(select exists (${setUpsOf(lists)}) from ${users} person where person.id = ${userId})`
