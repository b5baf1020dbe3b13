import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { operatorLog } from '../../drizzle/tables/operators.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { ipAddressOf } from '../../plugins/http/request.ts'
import { searchIn } from '../../plugins/lists.ts'
import { returnPath } from '../../plugins/security/return-path.ts'
import { WrongPerson } from '../../plugins/security/session-transaction.ts'
import { paths } from '../paths.ts'
import { isOperator } from './operators.ts'
import type { Action } from './props.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the log calls it. A list with words to search for is `…_searched` instead of `…_listed`. */
    operatorAction?: Action
  }
}

const reads = new Set<unknown>(['GET', 'HEAD'])

/** What every route below /admin passes, so that none can forget who may come, or the log. */
export function belowAdmin(app: FastifyInstance) {
  app.addHook('onRoute', (route) => {
    const isComplete = reads.has(route.method) || (route.config?.operatorAction && route.config.rateLimit)
    if (!isComplete) throw new Error(`${route.method} ${route.url} needs a limit, and an action for the log`)
    route.config = { ...route.config, hideFromOthers, recordedAs: 'An operator', reauthenticates: true }
  })
  app.addHook('onRequest', requireTwoFactors)
  app.addHook('preHandler', async (request) => {
    const { operatorAction } = request.routeOptions.config
    if (operatorAction && reads.has(request.method))
      await writeLog(request.server.db, request, lookOf(request, operatorAction))
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

type Entry = Omit<typeof operatorLog.$inferInsert, 'id' | 'action'> & { action: Action }

/**
 * Names nobody but the operator, by their id: the log outlives the people it is about. A command line has no operator.
 */
export const logAction = (db: Database | Tx, entry: Entry) => db.insert(operatorLog).values(entry)

type Ids = { userId?: string; accountId?: string }

export function writeLog(db: Database | Tx, request: FastifyRequest, action: Action) {
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
