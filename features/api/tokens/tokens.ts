import { and, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { ApiToken } from '../../../drizzle/tables/api.ts'
import { tokenScopes } from '../../../drizzle/tables/token-columns.ts'
import type { Tx } from '../../../plugins/database/index.ts'
import { Refused } from '../../../plugins/forms/index.ts'
import { nameMessages } from '../../../plugins/forms/parameters.ts'
import { NotFound } from '../../../plugins/http/errors.ts'
import { type Text, text } from '../../../plugins/languages/index.ts'
import { sessionHasTwoFactors, sessionTwoFactorsSince } from '../../accounts/requirements.ts'
import type { ReauthenticationProof } from '../../auth/reauthentication/index.ts'
import { digestOf, newSecret } from './secrets.ts'
import type { TokenTable } from './uses.ts'

// Tokens of whatever kind.

export const maxTokens = 20
const maxNameLength = 60
const lifetimes = [7, 30, 90, 365] // days
const defaultLifetime = 90
const dayMs = 86_400_000
const hourMs = 3_600_000

export type TokenInput = { name?: string | null; scope?: string | null; days?: number | string | null }

/** The new token, and what is wrong with it. */
export function checkToken(input: TokenInput) {
  const name = input.name ?? ''
  const scope = tokenScopes.find((each) => each === input.scope)
  const days = lifetimes.find((each) => String(each) === String(input.days ?? defaultLifetime))
  const errors = {
    name: nameMessages(name, maxNameLength),
    scope: scope ? [] : [text('is not included in the list')],
    days: days ? [] : [text('is not included in the list')],
  }
  return { errors, token: { name, scope: scope ?? 'read', days: days ?? defaultLifetime } as const }
}

export type NewToken = { name: string; scope: ApiToken['scope']; days: number }

/** Whose tokens they are, a user's or a workspace's, in the session that changes them. */
export type Keeper<Token extends NewToken> = {
  prefix: string
  table: TokenTable
  session: string
  isKept: SQL | undefined
  /** Which of them count for the limit while they have not expired, and what the 21st is told. */
  counts?: SQL
  full: Text
  /** A transaction for whoever may. Throws Denied, SignedOut, Invalid, or Refused without a verified address. */
  change<Result>(proof: ReauthenticationProof, work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Inserts it and tells of it. `former` has it for a successor. */
  insert(tx: Tx, row: Inserted, token: Token, former?: number): Promise<unknown>
  /** Returns how many there were. Throws Denied or SignedOut. */
  revoke(id: number): Promise<number>
}

type Inserted = ReturnType<typeof rowOf>

/** Returns the secret, which is stored nowhere. Throws as a change does, or Refused for the 21st. */
export const createToken = <Token extends NewToken>(
  app: FastifyInstance,
  keeper: Keeper<Token>,
  token: Token,
  proof: ReauthenticationProof,
) => keeper.change(proof, (tx) => insertToken(app, tx, keeper, token))

/**
 * Gives a token a successor that is like it and lives as long, and ends it within an hour, in which programs can change
 * over. Returns the secret of the successor. Throws as createToken does, or NotFound if there is no such token or it
 * already has a successor.
 */
export const rollToken = <Token extends NewToken>(
  app: FastifyInstance,
  keeper: Keeper<Token>,
  id: number,
  proof: ReauthenticationProof,
) =>
  keeper.change(proof, async (tx) => {
    const { table, isKept } = keeper
    const isIt = and(isKept, eq(table.id, id))
    const [token] = (await tx.select().from(table).where(isIt).for('update')) as (Token & ApiToken)[]
    const days = token && lifetimeOf(token)
    if (!days) throw new NotFound()
    const secret = await insertToken(app, tx, keeper, { ...token, days }, id)
    // Even in its last hour it is cut short, so that it gets no other one.
    const end = new Date(Math.min(token.expiresAt.getTime() - 1, app.now().getTime() + hourMs))
    const ended = sql`expires_at = ${end.toISOString()}, expiry_mailed_at = ${app.now().toISOString()}`
    await tx.execute(sql`update ${table} set ${ended} where id = ${id}`)
    return secret
  })

/** In days. That of a token that was rolled was cut short, and is none of them. */
const lifetimeOf = ({ createdAt, expiresAt }: ApiToken) =>
  lifetimes.find((days) => days * dayMs === expiresAt.getTime() - createdAt.getTime())

/** Those without a successor. */
export const isUnrolled = ({ createdAt, expiresAt }: TokenTable) =>
  sql`${expiresAt} - ${createdAt} = any(${sql.param(lifetimes.map((days) => `${days} days`))}::interval[])`

async function insertToken<Token extends NewToken>(
  app: FastifyInstance,
  tx: Tx,
  { prefix, table, session, isKept, counts, full, insert }: Keeper<Token>,
  token: Token,
  former?: number,
) {
  const counted = and(isKept, counts, gt(table.expiresAt, app.now()), ne(table.id, former ?? 0))
  if ((await tx.$count(table, counted)) >= maxTokens) throw new Refused(full)
  const secret = newSecret(prefix)
  await insert(tx, rowOf(app, token, secret, session), token, former)
  return secret
}

/** With what it keeps of the session in which it is made. */
function rowOf(
  { strongProofs, now }: FastifyInstance,
  { name, scope, days }: NewToken,
  secret: string,
  session: string,
) {
  const createdAt = now()
  return {
    ...{ name, scope, digest: digestOf(secret), createdAt },
    expiresAt: new Date(createdAt.getTime() + days * dayMs),
    hasSecondFactor: sessionHasTwoFactors(sql`${session}`),
    twoFactorsSince: sessionTwoFactorsSince(sql`${session}`),
    passedConnections:
      [...strongProofs].flatMap(({ kept }) => kept?.(session, createdAt) ?? [])[0] ?? sql`'{}'::bigint[]`,
  }
}
