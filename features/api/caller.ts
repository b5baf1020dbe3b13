import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Account, accounts, type Role } from '../../drizzle/schema.ts'
import { apiTokens } from '../../drizzle/tables/api.ts'
import { type Database, isReadOnly } from '../../plugins/database/index.ts'
import { Denied } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { pageOf } from '../../plugins/lists.ts'
import { clientKey, countHit, keyOf, take } from '../../plugins/security/limits/index.ts'
import { SignedOut } from '../../plugins/security/session-transaction.ts'
import { type Actor, requireAllowed, roleIn } from '../accounts/access.ts'
import { selectAccounts } from '../accounts/accounts.ts'
import { asks } from '../accounts/requirements.ts'
import type { Right } from '../accounts/rights.ts'
import { type Caller, findCaller, markUsed } from './tokens/tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
  }
}

/** Guard of all operations. Only a token with the scope `write` may do more than read. */
export async function authenticate(request: FastifyRequest, _reply: FastifyReply) {
  const { server: app, headers } = request
  const [, secret] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (!secret) throw new SignedOut()
  const caller = await findCaller(app.db, secret)
  if (!caller || caller.token.expiresAt <= app.now()) {
    await logWrongToken(request, caller?.user.id)
    throw new SignedOut()
  }
  request.caller = caller
  const reads = request.method === 'GET' || request.method === 'HEAD'
  await noteUse(app, caller).catch((error) => {
    if (!reads || !isReadOnly(error)) throw error // a database that only reads still answers
  })
  if (!reads && caller.token.scope !== 'write') throw new Denied()
}

async function noteUse({ db, now }: FastifyInstance, caller: Caller) {
  await take(db, 'api_request', caller.token.id)
  await markUsed(db, caller, now())
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

export function callerOf({ caller }: FastifyRequest) {
  if (!caller) throw new Error('this handler needs the guard authenticate')
  return caller
}

const pageSize = 50

type AccountOfCaller = Pick<Account, 'id' | 'name' | 'slug' | 'createdAt'> & { role: Role }

export function presentAccount({ id, name, slug, role, createdAt }: AccountOfCaller) {
  return { id, name, slug, role, created_at: createdAt.toISOString() }
}

export async function accountsOf(db: Database, userId: number, after = 0) {
  const rows = await selectAccounts(db, userId, gt(accounts.id, after))
    .orderBy(asc(accounts.id))
    .limit(pageSize + 1)
  const accountsWithRole = rows.map(({ account, role }) => ({ ...account, role }))
  return pageOf(accountsWithRole, pageSize)
}

/**
 * The account in the URL, the caller's role, and the caller as its actor. Throws NotFound, RequirementUnmet, or Denied
 * if the role may not do it.
 */
export async function accountOf(request: FastifyRequest, right?: Right) {
  const { db, now } = request.server
  const { token, user } = callerOf(request)
  const { slug } = request.params as { slug: string }
  const [membership] = await selectAccounts(db, user.id, eq(accounts.slug, slug))
  if (!membership) throw new NotFound()
  const { account } = membership
  // Writes nothing unless the token is still valid by then.
  const isValid = and(eq(apiTokens.id, token.id), gt(apiTokens.expiresAt, now()))
  const { hasSecondFactor, twoFactorsSince, passedConnections: kept } = token
  const row = sql`select from ${apiTokens} where ${isValid}`
  const credential = { row, hasSecondFactor, twoFactorsSince, kept }
  const actor = { userId: user.id, accountId: account.id, credential }
  const isOpen = !asks(request.server, account)
  const role = isOpen ? membership.role : await roleIn(request.server, db, actor, account)
  if (right) requireAllowed(role, right)
  return { ...account, role, actor }
}

/** Counts a change against the budget of the pages, which a program shares with its owner. */
export const countChange = (db: Database, { userId, accountId }: Actor) =>
  take(db, 'account_change', `${userId} ${accountId}`)
