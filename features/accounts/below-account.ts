import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isPrefetch } from '../../plugins/inertia/index.ts'
import { authOf } from '../../plugins/security/session.ts'
import { paths } from '../paths.ts'
import { rememberAccount } from './accounts.ts'
import { formAt } from './requests.ts'
import { memberOf } from './require-member.ts'
import { ShutOut } from './requirement.ts'

/** Guards all routes of this plugin, which lie below /{slug}, so that none can forget the membership check. */
export function belowAccount(account: FastifyInstance) {
  account.addHook('onRequest', account.requireMember)
  account.setErrorHandler((error, _request, reply) => {
    if (error instanceof ShutOut) return account.leadToFactor(reply, error)
    throw error
  })
  account.addHook('onRequest', (request, _reply, done) => {
    const { user } = authOf(request)
    const { id } = memberOf(request).account
    if (user.lastAccountId === id || !isVisit(request)) return done()
    rememberAccount(account.db, user.id, id).then(() => done(), done)
  })
  account.addHook('onRoute', (route) => {
    route.config = { ...route.config, deniedTo: formAt(paths.account) }
  })
}

// A prefetch on hover is none, nor is the reload of a tab in the background.
const isVisit = (request: FastifyRequest) =>
  request.method === 'GET' && !isPrefetch(request) && request.headers['x-unattended'] === undefined
