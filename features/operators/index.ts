import { operatorLog } from '../../drizzle/tables/operators.ts'
import './activities.ts'
import './commands.ts'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { lt } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { Cursor } from '../../plugins/forms/parameters.ts'
import { paged } from '../../plugins/lists.ts'
import { accountRoutes } from './accounts.ts'
import { belowAdmin, logAction } from './guard.ts'
import { findLog } from './lists.ts'
import { defineMails } from './mails.ts'
import { isOperator, operatorEnding } from './operators.ts'
import { operatorPaths } from './paths.ts'
import type { Action } from './props.ts'
import { userRoutes } from './users.ts'

const dayMs = 86_400_000

/** People who see and help everybody, and the log of what they look at and do. Nobody else notices that it exists. */
export const operators: FastifyPluginAsync<{ days: number }> = async (app, { days }) => {
  app.registeredOptions.add('operators')
  app.endings.add(operatorEnding(app))
  app.trustRefusals.add(isOperator)
  app.commandLogs.add((db, action, userId) =>
    logAction(db, { operatorId: null, action: action as Action, userId, createdAt: app.now() }),
  )
  defineMails(app)
  const since = () => new Date(app.now().getTime() - days * dayMs)
  app.sweeper.add({ table: operatorLog, isExpired: () => lt(operatorLog.createdAt, since()) })
  // A function, so that `sharedProps` is the same for everybody.
  app.share('operator', ({ auth }) => (auth && isOperator(auth.user) ? () => true as const : undefined))

  app.register(async (admin) => {
    belowAdmin(admin)
    admin.get(operatorPaths.home().url, (_request, reply) => reply.redirect(operatorPaths.users().url))
    admin.register(userRoutes)
    admin.register(accountRoutes)
    admin.register(logRoutes)
  })
}

const logRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const schema = { querystring: Type.Object({ before: Cursor }) }
  app.get(operatorPaths.log().url, { schema }, ({ query }, reply) =>
    reply.page('operators/log', { log: paged('before', query.before, () => findLog(app.db, query)) }),
  )
}
