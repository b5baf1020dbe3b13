import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { LinkToken, onlyToken } from '../../../plugins/forms/parameters.ts'
import { isPrefetch } from '../../../plugins/inertia/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { refererOf } from '../../../plugins/security/return-path.ts'
import { whileSignedIn } from '../../../plugins/security/while-signed-in.ts'
import { queueVerification } from '../../auth/sign-up.ts'
import { paths } from '../../paths.ts'
import { userOfLink, verifyEmail } from '../links.ts'

declare module '../../../plugins/forms/flash.ts' {
  interface FlashState {
    /** The address that a link has just verified, for the sign-in form. */
    verifiedEmail?: string
  }
}

export const emailVerificationRoutes: FastifyPluginAsyncTypebox<{ origin: string }> = async (app, { origin }) => {
  const verifying = { schema: { querystring: Type.Object({ sid: LinkToken }) }, onRequest: app.loadAuth } as const
  app.get(paths.verifyEmail().url, verifying, async (request, reply) => {
    // Mail scanners and prefetching browsers must not use up the link. The error makes browsers discard the prefetched
    // page.
    if (request.method === 'HEAD') return reply.send()
    if (isPrefetch(request)) return reply.code(503).send()

    const user = await userOfLink(app, 'email_verification', onlyToken(request.query.sid))
    if (!user || !(await verifyEmail(app, user, request.auth?.user.id))) {
      return reply.alert(text('That email verification link is invalid')).redirect(paths.email().url)
    }
    return reply
      .notice(text('Thank you for verifying your email address'))
      .flash({ verifiedEmail: user.email })
      .redirect(paths.home().url)
  })

  const resend = { onRequest: app.requireUser, config: { rateLimit: budget('email_verification') } }
  app.post(paths.resendVerification().url, resend, async (request, reply) => {
    const { user, session } = request.signedIn
    if (!user.verified) await whileSignedIn(app.db, session.token, (tx) => queueVerification(app, tx, user))
    return reply
      .notice(text('We sent a verification email to your email address'))
      .redirect(refererOf(request, origin) ?? paths.home().url)
  })
}
