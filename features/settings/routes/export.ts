import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Invalid } from '../../../plugins/forms/index.ts'
import { wrongChallenge } from '../../../plugins/security/challenges.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { sessionOf } from '../../auth/requests.ts'
import { paths } from '../../paths.ts'
import { exportOf } from '../exports.ts'
import { DeletionBody } from '../schemas.ts'

export const exportRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const config = { form: paths.profile().url, rateLimit: budget('data_export') }
  app.post(paths.exportData().url, { schema: { body: DeletionBody }, config }, async (request, reply) => {
    const digest = await request.challenge(request.body.password_challenge)
    if (!digest) throw new Invalid({ password_challenge: [wrongChallenge] })

    const data = await exportOf(app, sessionOf(request), digest)
    return reply
      .type('application/json')
      .header('content-disposition', 'attachment; filename="accounts-export.json"')
      .header('cache-control', 'no-store')
      .send(JSON.stringify(data, null, 2))
  })
}
