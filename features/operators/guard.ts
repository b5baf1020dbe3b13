import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Tx } from '../../plugins/database/index.ts'
import type { Messages } from '../../plugins/forms/flash.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { ipAddressOf } from '../../plugins/http/request.ts'
import { searchIn } from '../../plugins/lists.ts'
import { budget, clientKey } from '../../plugins/security/limits/index.ts'
import { returnPath } from '../../plugins/security/return-path.ts'
import { lockSession, WrongPerson } from '../../plugins/security/session-transaction.ts'
import { lockUser, type ReauthenticationProof, reauthenticate } from '../auth/reauthentication/index.ts'
import { withRetries } from '../auth/user-deletion.ts'
import { paths } from '../paths.ts'
import { logAction } from './log.ts'
import { isOperator } from './operators.ts'
import type { Action } from './props.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the log calls it. A list with words to search for is `…_searched` instead of `…_listed`. */
    operatorAction?: Action
    /** Messages for the other fields of a form that asks for the current password. */
    checkFields?(request: FastifyRequest): Messages
  }
  interface FastifyRequest {
    operatorProof: ReauthenticationProof | undefined
  }
}

/** Of each action by itself. */
export const operatorBudget = budget('operator_change', {
  by: (request) => `${clientKey(request)} ${request.routeOptions.config.operatorAction}`,
})

const reads = new Set<unknown>(['GET', 'HEAD'])

/** What every route below /admin passes, so that none can forget who may come, what they prove, or the log. */
export function belowAdmin(app: FastifyInstance) {
  app.decorateRequest('operatorProof', undefined)
  app.addHook('onRoute', (route) => {
    const isComplete = reads.has(route.method) || (route.config?.operatorAction && route.config.rateLimit)
    if (!isComplete) throw new Error(`${route.method} ${route.url} needs a limit, and an action for the log`)
    route.config = { ...route.config, hideFromOthers, actsAsOperator: true, reauthenticates: true }
  })
  app.addHook('onRequest', requireTwoFactors)
  app.addHook('preHandler', async (request) => {
    const { operatorAction, checkFields } = request.routeOptions.config
    if (!reads.has(request.method)) request.operatorProof = await reauthenticate(request, checkFields?.(request))
    else if (operatorAction) await writeLog(request.server.db, request, lookOf(request, operatorAction))
  })
}

async function hideFromOthers(request: FastifyRequest, reply: FastifyReply) {
  const failure = await request.server.loadAuth(request, reply).catch((error: unknown) => error)
  if (failure && !(failure instanceof WrongPerson)) throw failure
  if (!request.auth || !isOperator(request.auth.user)) {
    // An unknown URL is answered in nobody's chosen language, and its Server-Timing tells of no query.
    request.auth = null
    Object.assign(request.queries, { count: 0, ms: 0 })
    throw new NotFound()
  }
  if (failure) throw failure // others would learn from it that there is a page
}

async function requireTwoFactors(request: FastifyRequest, reply: FastifyReply) {
  const { firstFactor, secondFactor } = request.signedIn.session
  if (firstFactor === 'passkey' || secondFactor !== null) return
  const returnTo = returnPath(request, request.server.site.origin)
  if (returnTo) reply.flash({ returnTo })
  return reply.redirect(paths.secondFactor().url)
}

/** The log has no words of others, but whether there were some. */
function lookOf({ query }: FastifyRequest, action: Action): Action {
  if (searchIn((query as { q?: string }).q) === '') return action
  return action === 'users_listed' ? 'users_searched' : action === 'accounts_listed' ? 'accounts_searched' : action
}

/**
 * Does what the request asks for, with its line in the log, in a transaction that commits only while the session and
 * the proof are valid and the user is an operator. Throws what `work` throws, NotFound, Invalid or SignedOut.
 */
export function operate<Result>(request: FastifyRequest, work: (tx: Tx) => Promise<Result>) {
  const { server: app, signedIn, operatorProof } = request
  return withRetries(app.db, async (tx) => {
    const result = await work(tx)
    await writeLog(tx, request, request.routeOptions.config.operatorAction as Action)
    const operator = await lockUser(tx, signedIn.user.id, operatorProof) // last, as deleteAccount does
    if (!isOperator(operator)) throw new NotFound()
    await lockSession(tx, signedIn.session.token)
    return result
  })
}

type Ids = { userId?: string; accountId?: string }

function writeLog(db: Database | Tx, request: FastifyRequest, action: Action) {
  const { server, params, body, signedIn } = request
  const { userId = (body as { user_id?: string } | undefined)?.user_id, accountId } = params as Ids
  return logAction(db, {
    operatorId: signedIn.user.id,
    action,
    userId: userId ? Number(userId) : null,
    accountId: accountId ? Number(accountId) : null,
    ipAddress: ipAddressOf(request),
    createdAt: server.now(),
  })
}
