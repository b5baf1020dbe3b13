import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sendCsv } from '../../../plugins/http/csv.ts'
import { scroll } from '../../../plugins/inertia/index.ts'
import { authOf } from '../../../plugins/security/session.ts'
import { ownCsvOf } from '../../activity/csv.ts'
import { filtersOf } from '../../activity/filters.ts'
import { activitiesOf, everyActivityOf } from '../../activity/index.ts'
import { presentOwnActivity } from '../../activity/props.ts'
import { paths } from '../../paths.ts'
import { ActivityQuery } from '../schemas.ts'

const kinds = { sign_ins: ['sign_ins'], security: ['security'], accounts: ['account', 'members'] } as const

export const activityRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(paths.activity().url, { schema: { querystring: ActivityQuery } }, async (request, reply) => {
    const { user } = authOf(request)
    const { before, kind, ...rest } = request.query
    const filters = filtersOf(rest)
    const wanted = { ...(before ? { before: Number(before) } : {}), kinds: kind && kinds[kind], ...filters }
    const { activities, next } = await activitiesOf(app.db, { userId: user.id }, wanted)

    return reply.page('settings/activity', {
      activities: scroll(() => activities.map((activity) => presentOwnActivity(activity, user.id)), {
        pageName: 'before',
        wrapper: '',
        matchOn: 'id',
        page: () => ({ currentPage: before ?? null, previousPage: null, nextPage: next }),
      }),
      kind: kind ?? null,
      filters,
    })
  })

  app.get(paths.activityFile().url, (request, reply) => {
    const { id: userId } = authOf(request).user
    return sendCsv(reply, 'activity.csv', ownCsvOf(everyActivityOf(app.db, { userId }), userId))
  })
}
