import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { NotFound } from '../../plugins/http/errors.ts'
import { isPrefetch } from '../../plugins/inertia/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { returnPath } from '../../plugins/security/return-path.ts'
import { isPageOfAnother } from '../../plugins/security/whose-page.ts'
import { paths } from '../paths.ts'
import { rememberAccount } from './accounts.ts'
import { memberFinder } from './finders.ts'
import { formAt } from './requests.ts'
import { SecondFactorRequired } from './second-factor-requirement.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Guard for everything below /{slug}. Redirects guests to the sign-in page, answers non-members with 404, and
     * throws SecondFactorRequired if the account requires a second factor and the session began without one.
     */
    requireMember(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
    /** Redirects to where the second factor is proved or set up. */
    redirectToSecondFactor(reply: FastifyReply, required: SecondFactorRequired): FastifyReply
  }
}

export default fp<{ origin: string }>(
  async (app, { origin }) => {
    const finder = memberFinder(app.db, app.sessionPolicy)

    app.decorateRequest('member', null)
    app.decorate('requireMember', async (request: FastifyRequest, reply: FastifyReply) => {
      const { slug } = request.params as { slug: string }
      const token = request.sessionToken()
      const [found] = token ? await finder.execute({ token, slug, ...app.sessionPolicy.moment() }) : []
      if (!found) return app.redirectToSignIn(reply)

      await request.authenticate(found, reply)
      const { user, account, membership, missing } = found
      // Unknown accounts and accounts of others look the same.
      if (!account || !membership) {
        // The way back from what was not changed, which lies below an account of the person before.
        if (isPageOfAnother(request)) return reply.redirect(paths.home().url)
        throw new NotFound()
      }
      if (missing) throw new SecondFactorRequired(missing, account.name)
      request.member = { role: membership.role, account }
      if (isVisit(request) && user.lastAccountId !== account.id) await rememberVisit(request, user.id, account.id)
    })
    app.decorate('redirectToSecondFactor', (reply: FastifyReply, { missing, accountName }: SecondFactorRequired) => {
      if (missing === 'setup') {
        return reply
          .alert(text('{accountName} requires two-factor authentication', { accountName }))
          .redirect(paths.security().url)
      }
      const returnTo = returnPath(reply.request, origin)
      if (returnTo) reply.flash({ returnTo })
      return reply.redirect(paths.secondFactor().url)
    })
  },
  { name: 'require-member', dependencies: ['session'] },
)

/** The page is shown even while nothing can be written, so it hardly waits. */
const rememberVisit = ({ server, log }: FastifyRequest, userId: number, accountId: number) =>
  Promise.race([
    rememberAccount(server.db, userId, accountId).catch((error) => log.warn(error, 'the visit is not remembered')),
    setTimeout(patienceMs, undefined, { ref: false }),
  ])
const patienceMs = 250

// A prefetch on hover is none, nor is the reload of a tab in the background.
const isVisit = (request: FastifyRequest) =>
  request.method === 'GET' && !isPrefetch(request) && request.headers['x-unattended'] === undefined

/** Guards all routes of this plugin, which lie below /{slug}, so that none can forget the membership check. */
export function belowAccount(account: FastifyInstance) {
  account.addHook('onRequest', account.requireMember)
  account.setErrorHandler((error, _request, reply) => {
    if (error instanceof SecondFactorRequired) return account.redirectToSecondFactor(reply, error)
    throw error
  })
  account.addHook('onRoute', (route) => {
    route.config = { ...route.config, deniedTo: formAt(paths.account) }
  })
}
