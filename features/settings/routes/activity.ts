import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sendCsv } from '../../../plugins/http/csv.ts'
import { ownCsvOf } from '../../activity/csv.ts'
import { activityPage } from '../../activity/page.ts'
import { presentOwnActivity } from '../../activity/props.ts'
import { paths } from '../../paths.ts'
import { ActivityQuery } from '../schemas.ts'

const kinds = { sign_ins: ['sign_ins'], security: ['security'], accounts: ['account', 'members'] } as const

export const activityRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(paths.activity().url, { schema: { querystring: ActivityQuery } }, async (request, reply) => {
    const { id: userId } = request.signedIn.user
    const props = await activityPage(app.db, { userId }, request.query, kinds, presentOwnActivity(userId))
    return reply.page('settings/activity', props)
  })

  app.get(paths.activityFile().url, (request, reply) =>
    sendCsv(reply, 'activity.csv', ownCsvOf(app.db, request.signedIn.user.id)),
  )
}
