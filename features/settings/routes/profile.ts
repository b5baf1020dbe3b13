import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { budget } from '../../../plugins/security/limits/index.ts'
import { sessionOf } from '../../auth/requests.ts'
import { paths } from '../../paths.ts'
import { DeletionBody, ProfileBody } from '../schemas.ts'
import { checkProfile, deleteUser, updateProfile } from '../users.ts'

export const profileRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const form = paths.profile().url

  app.get(form, (_request, reply) => reply.page('settings/profile', {}))

  app.route({
    method: ['PATCH', 'PUT'],
    url: paths.updateProfile().url,
    schema: { body: ProfileBody },
    config: { form, precognition: true },
    async handler(request, reply) {
      const name = checkProfile(request.body)
      if (request.precognitive) return reply.valid()

      if (name !== undefined) await updateProfile(app.db, sessionOf(request), name)
      return reply.notice('Your profile has been updated').redirect(form)
    },
  })

  const deletion = { schema: { body: DeletionBody }, config: { form, rateLimit: budget('user_deletion') } }
  app.delete(paths.deleteUser().url, deletion, async (request, reply) => {
    const digest = await request.challenge(request.body.password_challenge)
    await deleteUser(app, sessionOf(request), digest)
    request.security('session', 'ended')
    return reply
      .endSession()
      .carry({ notice: 'Your account has been deleted', clearHistory: true })
      .redirect(paths.home().url)
  })
}
