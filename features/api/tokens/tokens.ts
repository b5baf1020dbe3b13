import { and, eq, gt, ne, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../../drizzle/schema.ts'
import { type ApiToken, apiTokens } from '../../../drizzle/tables/api.ts'
import { tokenScopes } from '../../../drizzle/tables/token-columns.ts'
import type { Tx } from '../../../plugins/database/index.ts'
import { Refused } from '../../../plugins/forms/index.ts'
import { nameMessages } from '../../../plugins/forms/parameters.ts'
import { NotFound } from '../../../plugins/http/errors.ts'
import { text } from '../../../plugins/languages/index.ts'
import { sessionTransaction } from '../../../plugins/security/session-transaction.ts'
import { recordWithNotice } from '../../auth/notices.ts'
import {
  type Reauthenticated,
  requireVerified,
  type Session,
  withReauthentication,
} from '../../auth/reauthentication/index.ts'
import { proofToKeep } from './kept-proof.ts'
import { digestOf, newSecret } from './secrets.ts'
import { removeTokens } from './ways-in.ts'

export const maxTokens = 20
const maxNameLength = 60
export const lifetimes = [7, 30, 90, 365] // days
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

/** Returns the secret, which is stored nowhere. Throws SignedOut, Invalid or Refused. */
export const createToken = (app: FastifyInstance, reauthenticated: Reauthenticated, token: NewToken) =>
  withReauthentication(app.db, reauthenticated, (tx, user) => insertToken(app, tx, user, reauthenticated, token))

/**
 * Gives a token a successor with the same name, scope and lifetime, and ends it within an hour, in which programs can
 * change over. Returns the secret of the successor. Throws SignedOut, Invalid, Refused, or NotFound if the user has no
 * such token or it already has a successor.
 */
export const rollToken = (app: FastifyInstance, reauthenticated: Reauthenticated, id: number) =>
  withReauthentication(app.db, reauthenticated, async (tx, user) => {
    const isIt = and(eq(apiTokens.id, id), eq(apiTokens.userId, user.id))
    const [token] = await tx.select().from(apiTokens).where(isIt).for('update')
    const days = token && lifetimeOf(token)
    if (!days) throw new NotFound()

    const secret = await insertToken(app, tx, user, reauthenticated, { ...token, days }, ne(apiTokens.id, id))
    await tx.update(apiTokens).set(rolled(token, app.now())).where(isIt)
    return secret
  })

/** In days. That of a token that was rolled was cut short, and is none of them. */
export const lifetimeOf = ({ createdAt, expiresAt }: Pick<ApiToken, 'createdAt' | 'expiresAt'>) =>
  lifetimes.find((days) => days * dayMs === expiresAt.getTime() - createdAt.getTime())

/** What becomes of a token that has a successor: even in its last hour it is cut short, so that it gets no other one. */
export const rolled = ({ expiresAt }: Pick<ApiToken, 'expiresAt'>, now: Date) => ({
  expiresAt: new Date(Math.min(expiresAt.getTime() - 1, now.getTime() + hourMs)),
  expiryMailedAt: now,
})

/** Until when a new one lives. */
export const expiryOf = (days: number, now: Date) => new Date(now.getTime() + days * dayMs)

/** `counted` are the tokens that count for the limit. */
async function insertToken(
  app: FastifyInstance,
  tx: Tx,
  user: User,
  session: Reauthenticated,
  { name, scope, days }: NewToken,
  counted?: SQL,
) {
  requireVerified(user)
  const { id: userId } = user
  const createdAt = app.now()
  const unexpired = and(eq(apiTokens.userId, userId), gt(apiTokens.expiresAt, createdAt), counted)
  if ((await tx.$count(apiTokens, unexpired)) >= maxTokens) throw new Refused(text('You have 20 tokens already'))

  const secret = newSecret('acct')
  const expiresAt = expiryOf(days, createdAt)
  const { kept: passedConnections, ...factors } = proofToKeep(app, session.token)
  const proof = { ...factors, passedConnections }
  const token = { userId, name, scope, digest: digestOf(secret), ...proof, createdAt, expiresAt }
  await tx.insert(apiTokens).values(token)
  await recordWithNotice(app, tx, user, 'token_created', { token_name: name })
  return secret
}

/** Throws SignedOut, or NotFound if the user has no such token. */
export const revokeToken = (app: FastifyInstance, { userId, token }: Session, id: number) =>
  sessionTransaction(app.db, token, async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (!user || (await removeTokens(app, tx, user, eq(apiTokens.id, id))) === 0) throw new NotFound()
  })
