import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { scroll } from '../../../plugins/inertia/index.ts'
import { authOf } from '../../../plugins/security/session.ts'
import { activitiesOf } from '../../activity/index.ts'
import { presentOwnActivity } from '../../activity/props.ts'
import { paths } from '../../paths.ts'
import { ActivityQuery } from '../schemas.ts'

const filters = { sign_ins: ['sign_ins'], security: ['security'], accounts: ['account', 'members'] } as const

export const activityRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(paths.activity().url, { schema: { querystring: ActivityQuery } }, async (request, reply) => {
    const { user } = authOf(request)
    const { before, kind } = request.query
    const wanted = { ...(before ? { before: Number(before) } : {}), kinds: kind && filters[kind] }
    const { activities, next } = await activitiesOf(app.db, { userId: user.id }, wanted)

    return reply.page('settings/activity', {
      activities: scroll(() => activities.map((activity) => presentOwnActivity(activity, user.id)), {
        pageName: 'before',
        wrapper: '',
        matchOn: 'id',
        page: () => ({ currentPage: before ?? null, previousPage: null, nextPage: next }),
      }),
      kind: kind ?? null,
    })
  })
}
