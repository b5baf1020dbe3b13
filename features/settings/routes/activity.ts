import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { fileRoute } from '../../../plugins/http/files.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { ownCsvOf, sendActivity } from '../../activity/csv.ts'
import { activityPage, wantedIn } from '../../activity/page.ts'
import { presentOwnActivity } from '../../activity/props.ts'
import { paths } from '../../paths.ts'
import { ActivityQuery } from '../schemas.ts'

const kinds = { sign_ins: ['sign_ins'], security: ['security'], accounts: ['account', 'members'] } as const

export const activityRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const schema = { querystring: ActivityQuery }

  app.get(paths.activity().url, { schema }, async (request, reply) => {
    const { id: userId } = request.signedIn.user
    const props = await activityPage(app.db, { userId }, request.query, kinds, presentOwnActivity(userId))
    return reply.page('settings/activity', { ...props, providers: app.providers })
  })

  const limit = 'activity_file'
  const config = { form: paths.activity().url, rateLimit: budget(limit) }
  app.get(paths.activityFile().url, { ...fileRoute, schema, config }, (request, reply) => {
    const lines = ownCsvOf(app.db, request.signedIn.user.id, wantedIn(request.query, kinds))
    return sendActivity(reply, { name: 'activity.csv', lines, limit })
  })
}
