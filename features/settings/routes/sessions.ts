import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { scroll } from '../../../plugins/inertia/index.ts'
import { presentSession } from '../../auth/props.ts'
import { sessionsOf } from '../../auth/sessions.ts'
import { paths } from '../../paths.ts'
import { SessionsQuery } from '../schemas.ts'

export const sessionsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const options = { schema: { querystring: SessionsQuery }, config: { reauthenticates: true } } as const
  app.get(paths.sessions().url, options, async (request, reply) => {
    const { before } = request.query
    const { user, session } = request.signedIn
    const { sessions, next } = await sessionsOf(app, user.id, session.token, before)
    return reply.page('settings/sessions', {
      providers: app.providers,
      sessions: scroll(() => sessions.map(presentSession), {
        pageName: 'before',
        wrapper: '',
        matchOn: 'id',
        page: () => ({ currentPage: before ?? null, previousPage: null, nextPage: next }),
      }),
    })
  })
}
