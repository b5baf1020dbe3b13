import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { OptionalText } from '../../../plugins/forms/parameters.ts'
import { text } from '../../../plugins/languages/index.ts'
import { refererOf } from '../../../plugins/security/return-path.ts'
import { sessionTransaction } from '../../../plugins/security/session-transaction.ts'
import { formRoute } from '../../forms.ts'
import { paths } from '../../paths.ts'
import { checkAccountName, createAnotherAccount, lastUsedPath } from '../accounts.ts'
import { dismiss, dismissible } from '../first-steps.ts'
import { listsChanged } from '../switcher.ts'

export const homeRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const props = app.site.invitationOnly ? ({ invitation_only: true } as const) : {}

  app.get(paths.home().url, { onRequest: app.loadAuth }, async (request, reply) => {
    if (request.auth) return reply.redirect(await lastUsedPath(app.db, request.auth.user))
    const email = app.flashStore.read(request)?.verifiedEmail
    return reply.page('home/index', { ...props, ...(email && { verified_email: email }) })
  })
  // Pages lead here when their workspace is gone.
  app.get(paths.dashboard().url, { onRequest: app.requireUser }, async (request, reply) =>
    reply.flash(listsChanged).redirect(await lastUsedPath(app.db, request.signedIn.user)),
  )

  const form = paths.newAccount().url
  app.get(form, { onRequest: app.requireUser }, (_request, reply) => reply.page('accounts/new', {}))

  const creation = formRoute(form, 'account_creation', { body: Type.Object({ name: OptionalText }) })
  app.post(paths.createAccount().url, { ...creation, onRequest: app.requireUser }, async (request, reply) => {
    const name = checkAccountName(request.body.name ?? '')
    const { user, session } = request.signedIn
    const account = await sessionTransaction(app.db, session.token, (tx) =>
      createAnotherAccount(app, tx, name, user.id),
    )
    return reply.flash(listsChanged).notice(text('Workspace created')).redirect(paths.account(account.slug).url)
  })

  const overview = paths.dashboard().url
  const dismissal = formRoute(overview, 'profile_change', { body: Type.Object({ name: Type.Enum([...dismissible]) }) })
  app.post(paths.dismiss().url, { ...dismissal, onRequest: app.requireUser }, async (request, reply) => {
    await dismiss(app.db, request.signedIn.session, request.body.name)
    return reply.redirect(refererOf(request, app.site.origin) ?? overview)
  })
}
