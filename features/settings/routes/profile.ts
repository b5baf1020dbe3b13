import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Messages } from '../../../plugins/forms/flash.ts'
import { Invalid } from '../../../plugins/forms/index.ts'
import { ChallengeBody } from '../../../plugins/forms/parameters.ts'
import { fileRoute, sendFile } from '../../../plugins/http/files.ts'
import { optional } from '../../../plugins/inertia/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { previewUserDeletion } from '../../accounts/user-deletion.ts'
import { deleteUser } from '../../auth/user-deletion.ts'
import { paths } from '../../paths.ts'
import { confirm } from '../../reauthentication/index.ts'
import { exportOf } from '../exports.ts'
import { checkProfile, updateProfile } from '../profile.ts'
import { ProfileBody } from '../schemas.ts'

export const profileRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const form = paths.profile().url

  app.get(form, { config: { reauthenticates: true } }, (request, reply) =>
    reply.page('settings/profile', {
      departure: optional(() => previewUserDeletion(app.db, request.signedIn.user.id)),
    }),
  )

  app.route({
    method: ['PATCH', 'PUT'],
    url: paths.updateProfile().url,
    schema: { body: ProfileBody },
    config: { form, precognition: true, rateLimit: budget('profile_change', { check: 'uncounted' }) },
    async handler(request, reply) {
      const name = checkProfile(request.body)
      if (request.precognitive) return reply.valid()

      if (name !== undefined) await updateProfile(app.db, request.signedIn.session, name)
      return reply.notice(text('Your profile has been updated')).redirect(form)
    },
  })

  const exporting = {
    ...fileRoute,
    schema: { body: ChallengeBody },
    config: { form, rateLimit: budget('data_export') },
  }
  app.post(paths.exportData().url, exporting, async (request, reply) => {
    const data = await exportOf(app, await confirm(request))
    return sendFile(reply, { name: 'accounts-export.json', type: 'application/json' }, data)
  })

  const deletion = { schema: { body: ChallengeBody }, config: { form, rateLimit: budget('user_deletion') } }
  app.delete(paths.deleteUser().url, deletion, async (request, reply) => {
    try {
      await deleteUser(app, request.signedIn.session, await request.reauthenticate())
    } catch (error) {
      throw error instanceof Invalid ? new Invalid(inWordsOfDeletion(error.errors)) : error
    }
    request.security('session', 'ended')
    return reply
      .clearSession()
      .flash({ notice: text('Your account has been deleted'), clearHistory: true })
      .redirect(paths.home().url)
  })
}

/** The password's message has other words here, which are a contract. */
const inWordsOfDeletion = ({ password_challenge, ...others }: Messages): Messages =>
  password_challenge ? { ...others, password_challenge: [text('Password challenge is invalid')] } : others
