import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { paths } from '../../paths.ts'
import { confirm } from '../../reauthentication/index.ts'
import { changeEmail, checkNewEmail } from '../emails.ts'
import { EmailBody } from '../schemas.ts'

export const emailRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const form = paths.email().url

  app.get(form, { config: { reauthenticates: true } }, (_request, reply) => reply.page('settings/email', {}))

  app.route({
    method: ['PATCH', 'PUT'],
    url: paths.changeEmail().url,
    schema: { body: EmailBody },
    config: { form, precognition: true, rateLimit: budget('email_change') },
    async handler(request, reply) {
      const { user } = request.signedIn
      const { email, errors } = await checkNewEmail(app.db, user, request.body)
      const confirmed = await confirm(request, errors)
      if (request.precognitive) return reply.valid()

      if (await changeEmail(app, confirmed, email)) reply.notice(text('Your email has been changed'))
      return reply.redirect(form)
    },
  })
}
