import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { paths } from '../../paths.ts'
import { lastUsedSlug } from '../accounts.ts'
import { listsChanged } from '../switcher.ts'

export const homeRoutes: FastifyPluginAsync<{ invitationOnly: boolean }> = async (app, { invitationOnly }) => {
  const props = invitationOnly ? ({ invitation_only: true } as const) : {}

  app.get(paths.home().url, { onRequest: app.loadAuth }, async (request, reply) => {
    if (request.auth) return reply.redirect(await ownAddress(request))
    const email = app.flashStore.read(request)?.verifiedEmail
    return reply.page('home/index', { ...props, ...(email && { verified_email: email }) })
  })
  // Where a page goes whose workspace is gone.
  app.get(paths.dashboard().url, { onRequest: app.requireUser }, async (request, reply) =>
    reply.flash(listsChanged).redirect(await ownAddress(request)),
  )

  async function ownAddress(request: FastifyRequest) {
    const slug = await lastUsedSlug(app.db, request.signedIn.user)
    return slug ? paths.account(slug).url : paths.newAccount().url
  }
}
