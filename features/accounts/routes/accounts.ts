import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { defer, isPrefetch } from '../../../plugins/inertia/index.ts'
import { paths } from '../../paths.ts'
import { checkAccountName, createAccount, rememberAccount } from '../accounts.ts'
import { countMembers } from '../memberships.ts'
import { presentAccount } from '../props.ts'
import { AccountBody, AccountParams, accountRoute } from '../schemas.ts'

export const newAccountRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)

  app.get(paths.newAccount().url, (_request, reply) => reply.page('accounts/new', {}))

  const config = { form: paths.newAccount().url }
  app.post(paths.createAccount().url, { schema: { body: AccountBody }, config }, async (request, reply) => {
    const name = checkAccountName(request.body.name ?? '')
    const account = await app.db.transaction((tx) => createAccount(tx, name, request.signedIn().user.id))
    return reply.notice('Account created').redirect(paths.account(account.slug).url)
  })
}

export const accountRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireMember)

  app.get(accountRoute, { schema: { params: AccountParams } }, async (request, reply) => {
    const { account, membership } = request.membership()
    const { user } = request.signedIn()
    // Hovering over a link is no visit.
    if (user.lastAccountId !== account.id && !isPrefetch(request)) await rememberAccount(app.db, user.id, account.id)

    return reply.page('accounts/show', {
      account: presentAccount(account),
      membership: { role: membership.role },
      members_count: defer(() => countMembers(app.db, account.id)),
    })
  })
}
