import './activities.ts'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { clientWithDevice } from '../../features/auth/device.ts'
import { beginSignIn, continueSignIn } from '../../features/auth/sign-in.ts'
import { contextOfForm, formRoute, signInFields } from '../../features/forms.ts'
import { paths } from '../../features/paths.ts'
import { LinkToken, OptionalText, onlyToken } from '../../plugins/forms/parameters.ts'
import { text } from '../../plugins/languages/index.ts'
import { normalizeEmail } from '../../plugins/mail/index.ts'
import { bySignedLink, readLink, signedLinkMethod } from './factor.ts'
import { defineMails } from './mails.ts'
import { linkPaths } from './paths.ts'

/** A sixth way to sign in: a link by mail, which works once, for ten minutes. */
export const signedLink: FastifyPluginAsync = async (app) => {
  app.registeredOptions.add('signed-link')
  app.firstFactors.add(bySignedLink)
  app.signInMethods.add(signedLinkMethod)
  defineMails(app)
  app.register(routes)
}

const FindBody = Type.Object({ email: OptionalText, ...signInFields })
const LinkFields = Type.Object({ sid: LinkToken, ...signInFields })

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireGuest)

  const asking = formRoute(paths.signInPage().url, 'sign_in', { body: FindBody })
  app.post(linkPaths.requestLink().url, asking, async (request, reply) => {
    const { invitation, returnTo = '' } = contextOfForm(request)
    const email = normalizeEmail(request.body.email ?? '')
    await app.db.transaction((tx) => app.mail.queue(tx, 'sign_in_link', { email, invitation, returnTo }))
    return reply
      .notice(text('If this address is verified, a link is on its way to it'))
      .redirect(paths.signInPage(invitation, returnTo).url)
  })

  // Mail scanners open links: only the button of the page signs in.
  app.get(linkPaths.openLink().url, { schema: { querystring: LinkFields } }, ({ query }, reply) =>
    reply.page('signed-link/open', {
      sid: onlyToken(query.sid),
      invitation: onlyToken(query.invitation),
      return_to: onlyToken(query.return_to),
    }),
  )

  const using = formRoute(paths.signInPage().url, 'sign_in', { body: LinkFields })
  app.post(linkPaths.useLink().url, using, async (request, reply) => {
    const link = readLink(app, onlyToken(request.body.sid))
    const begun =
      link &&
      (await beginSignIn(app, link.userId, { client: clientWithDevice(request), factor: bySignedLink, proof: link }))
    if (begun) return continueSignIn(reply, begun, contextOfForm(request))
    request.security('sign_in', 'wrong', { user: link?.userId })
    return reply.alert(text('That link is invalid')).redirect(paths.signInPage().url)
  })
}
