import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { whileSignedIn } from '../../../plugins/security/while-signed-in.ts'
import { paths } from '../../paths.ts'
import { checkAccountName, createAnotherAccount } from '../accounts.ts'
import { AccountBody } from '../schemas.ts'
import { listsChanged } from '../switcher.ts'

export const newAccountRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)

  const form = paths.newAccount().url
  app.get(form, (_request, reply) => reply.page('accounts/new', {}))

  const config = { form, rateLimit: budget('account_creation') }
  app.post(paths.createAccount().url, { schema: { body: AccountBody }, config }, async (request, reply) => {
    const name = checkAccountName(request.body.name ?? '')
    const { user, session } = request.signedIn
    const account = await whileSignedIn(app.db, session.token, (tx) => createAnotherAccount(tx, name, user.id))
    return reply.flash(listsChanged).notice(text('Workspace created')).redirect(paths.account(account.slug).url)
  })
}
