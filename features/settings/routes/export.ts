import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChallengeBody } from '../../../plugins/forms/parameters.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { sessionOf } from '../../auth/requests.ts'
import { paths } from '../../paths.ts'
import { exportOf } from '../exports.ts'

export const exportRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const config = { form: paths.profile().url, rateLimit: budget('data_export') }
  app.post(paths.exportData().url, { schema: { body: ChallengeBody }, config }, async (request, reply) => {
    const reauthentication = await request.reauthenticate()

    const data = await exportOf(app, sessionOf(request), reauthentication)
    return reply
      .type('application/json')
      .header('content-disposition', 'attachment; filename="accounts-export.json"')
      .header('cache-control', 'no-store')
      .send(JSON.stringify(data, null, 2))
  })
}
