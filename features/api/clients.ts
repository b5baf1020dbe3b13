import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Account, Role, User } from '../../drizzle/schema.ts'
import type { tokenScopes } from '../../drizzle/tables/token-columns.ts'
import { type Database, isReadOnly, type Tx } from '../../plugins/database/index.ts'
import { Denied } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { clientKey, countHit, keyOf, take } from '../../plugins/security/limits/index.ts'
import { SignedOut } from '../../plugins/security/session-transaction.ts'
import { type Actor, requireAllowed } from '../accounts/access.ts'
import type { Right } from '../accounts/rights.ts'
import { readSecret } from './tokens/secrets.ts'
import { markUsed, type TokenTable } from './tokens/uses.ts'

type AccountOfClient = Pick<Account, 'id' | 'name' | 'slug' | 'createdAt'> & { role: Role }

/** A program with a token, of a user or of what an option adds. */
export type ApiClient = {
  token: { id: number; scope: (typeof tokenScopes)[number]; expiresAt: Date; lastUsedAt: Date | null }
  /** Whose token it is, unless it acts for nobody. */
  user?: Pick<User, 'id'>
  /** The only account that it may know of. */
  accountId?: number
  /** What GET /me answers. */
  me(): object
  accounts(after: number | undefined): Promise<{ page: AccountOfClient[]; next: number | null }>
  /** Undefined for others than those that it may know of. Throws RequirementUnmet or Denied. */
  accountAt(slug: string): Promise<{ account: Account; role: Role; actor: Actor } | undefined>
}

export type TokenKind = {
  /** With which its secrets begin. */
  prefix: string
  /** Its name in the OpenAPI document, and what that says of it. */
  scheme: string
  description: string
  table: TokenTable
  /** The schema of `me`. */
  me: TSchema
  /** The client with the secret of this digest, whether it has expired or not. */
  find(digest: string): Promise<ApiClient | undefined>
  /** Queues mails about its end. */
  warn(tx: Tx, id: number): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    apiClient?: ApiClient
  }
}

/** Guard of all operations. Only a token with the scope `write` may do more than read. */
export async function authenticate(request: FastifyRequest, _reply: FastifyReply) {
  const { server: app, headers } = request
  const [, secret] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (!secret) throw new SignedOut()
  const { prefix, digest = '' } = readSecret(secret) ?? {}
  const kind = [...app.tokenKinds].find((each) => each.prefix === prefix)
  const client = await kind?.find(digest)
  if (!kind || !client || client.token.expiresAt <= app.now()) {
    await logWrongToken(request, client?.user?.id)
    throw new SignedOut()
  }
  request.apiClient = client
  request.actsFor = client.user?.id
  const reads = request.method === 'GET' || request.method === 'HEAD'
  await noteUse(app, kind, client).catch((error) => {
    if (!reads || !isReadOnly(error)) throw error // a database that only reads still answers
  })
  if (!reads && client.token.scope !== 'write') throw new Denied()
}

async function noteUse({ db, now }: FastifyInstance, { prefix, table }: TokenKind, { token }: ApiClient) {
  await take(db, 'api_request', `${prefix} ${token.id}`)
  await markUsed(db, table, token, now())
}

/** Only a few for each client, or anyone could flood the log. */
async function logWrongToken(request: FastifyRequest, user: number | undefined) {
  const counted = countHit(request.server.db, 'wrong_token', keyOf('wrong_token', clientKey(request)))
  const { hits } = await counted.catch((error) => {
    if (isReadOnly(error)) return { hits: null }
    throw error
  })
  if (hits !== null) request.security('token', 'wrong', { user })
}

export function clientOf({ apiClient }: FastifyRequest) {
  if (!apiClient) throw new Error('this handler needs the guard authenticate')
  return apiClient
}

export function presentAccount({ id, name, slug, role, createdAt }: AccountOfClient) {
  return { id, name, slug, role, created_at: createdAt.toISOString() }
}

/**
 * The account in the URL, the role of the client there, and the client as its actor, who may be no user. Throws
 * NotFound, RequirementUnmet, or Denied if the role may not do it.
 */
export async function accountOf(request: FastifyRequest, right?: Right) {
  const { slug } = request.params as { slug: string }
  const found = await clientOf(request).accountAt(slug)
  if (!found) throw new NotFound()
  const { account, role, actor } = found
  if (right) requireAllowed(role, right)
  return { ...account, role, actor }
}

/** Counts a change: those of a user with what they do on pages, those of all tokens of an account together. */
export const countChange = (db: Database, actor: Actor) =>
  take(db, 'account_change', `${'token' in actor ? 'tokens' : actor.userId} ${actor.accountId}`)
