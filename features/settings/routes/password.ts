import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { newPasswordMessages, queuePasswordReset } from '../../auth/passwords.ts'
import { requireVerified } from '../../auth/sign-in-methods.ts'
import { paths } from '../../paths.ts'
import { changePassword } from '../passwords.ts'
import { PasswordBody } from '../schemas.ts'

export const passwordRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const form = paths.password().url

  app.get(form, { config: { reauthenticates: true } }, (_request, reply) => reply.page('settings/password', {}))

  const mailing = { config: { form, rateLimit: budget('password_link') } }
  app.post(paths.mailPasswordLink().url, mailing, async (request, reply) => {
    const { email } = requireVerified(request.signedIn.user)
    await app.db.transaction((tx) => queuePasswordReset(app, tx, email))
    request.security('password_reset', 'requested')
    return reply.notice(text('We sent you a link to set a password')).redirect(form)
  })

  app.route({
    method: ['PATCH', 'PUT'],
    url: paths.changePassword().url,
    schema: { body: PasswordBody },
    config: { form, precognition: true, rateLimit: budget('password_change') },
    async handler(request, reply) {
      const { password } = request.body
      // Null, missing or empty means no change.
      const errors = password ? newPasswordMessages(app, request.body, request.signedIn.user) : {}
      const reauthentication = await request.reauthenticate(errors)
      if (request.precognitive) return reply.valid()

      const changed = await changePassword(app, request.signedIn.session, { password, reauthentication })
      if (changed) {
        request.security('session', 'ended')
        reply.setSession(changed.token).rememberDevice(changed.user)
      }
      return reply.notice(text('Your password has been changed')).redirect(form)
    },
  })
}
