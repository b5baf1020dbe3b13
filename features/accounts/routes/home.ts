import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { OptionalText } from '../../../plugins/forms/parameters.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { whileSignedIn } from '../../../plugins/security/while-signed-in.ts'
import { paths } from '../../paths.ts'
import { checkAccountName, createAnotherAccount, lastUsedSlug } from '../accounts.ts'
import { listsChanged } from '../switcher.ts'

export const homeRoutes: FastifyPluginAsyncTypebox<{ invitationOnly: boolean }> = async (app, { invitationOnly }) => {
  const props = invitationOnly ? ({ invitation_only: true } as const) : {}

  app.get(paths.home().url, { onRequest: app.loadAuth }, async (request, reply) => {
    if (request.auth) return reply.redirect(await ownAddress(request))
    const email = app.flashStore.read(request)?.verifiedEmail
    return reply.page('home/index', { ...props, ...(email && { verified_email: email }) })
  })
  // Pages lead here when their workspace is gone.
  app.get(paths.dashboard().url, { onRequest: app.requireUser }, async (request, reply) =>
    reply.flash(listsChanged).redirect(await ownAddress(request)),
  )

  async function ownAddress(request: FastifyRequest) {
    const slug = await lastUsedSlug(app.db, request.signedIn.user)
    return slug ? paths.account(slug).url : paths.newAccount().url
  }

  const form = paths.newAccount().url
  app.get(form, { onRequest: app.requireUser }, (_request, reply) => reply.page('accounts/new', {}))

  const creation = {
    onRequest: app.requireUser,
    schema: { body: Type.Object({ name: OptionalText }) },
    config: { form, rateLimit: budget('account_creation') },
  }
  app.post(paths.createAccount().url, creation, async (request, reply) => {
    const name = checkAccountName(request.body.name ?? '')
    const { user, session } = request.signedIn
    const account = await whileSignedIn(app.db, session.token, (tx) => createAnotherAccount(tx, name, user.id))
    return reply.flash(listsChanged).notice(text('Workspace created')).redirect(paths.account(account.slug).url)
  })
}
