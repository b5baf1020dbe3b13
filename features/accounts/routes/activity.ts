import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Denied } from '../../../plugins/forms/index.ts'
import { sendCsv } from '../../../plugins/http/csv.ts'
import { always, scroll } from '../../../plugins/inertia/index.ts'
import { accountCsvOf } from '../../activity/csv.ts'
import { filtersOf } from '../../activity/filters.ts'
import { activitiesOf, everyActivityOf } from '../../activity/index.ts'
import { presentActivity } from '../../activity/props.ts'
import { peopleOf } from '../members.ts'
import { manages } from '../memberships.ts'
import { presentPlace } from '../requests.ts'
import { memberOf } from '../require-member.ts'
import { AccountParams, ActivityQuery, accountRoute } from '../schemas.ts'

const kinds = { members: ['members'], account: ['account'] } as const

/** The account's activity. Managers can read it, owners can also download it. */
export const activityRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const url = `${accountRoute}/activity`

  app.get(url, { schema: { params: AccountParams, querystring: ActivityQuery } }, async (request, reply) => {
    const { account, role } = memberOf(request)
    if (!manages(role)) throw new Denied()
    const { before, kind, ...rest } = request.query
    const filters = filtersOf(rest)
    const wanted = { ...(before ? { before: Number(before) } : {}), kinds: kind && kinds[kind], ...filters }
    const { activities, next } = await activitiesOf(app.db, { accountId: account.id }, wanted)

    return reply.page('accounts/activity', {
      ...presentPlace(request),
      membership: always({ role }), // one of the listed activities may have changed it
      activities: scroll(() => activities.map(presentActivity), {
        pageName: 'before',
        wrapper: '',
        matchOn: 'id',
        page: () => ({ currentPage: before ?? null, previousPage: null, nextPage: next }),
      }),
      kind: kind ?? null,
      filters,
      people: () => peopleOf(app.db, account.id),
    })
  })

  app.get(`${url}.csv`, { schema: { params: AccountParams } }, async (request, reply) => {
    const { account, role } = memberOf(request)
    if (role !== 'owner') throw new Denied()
    const lines = accountCsvOf(everyActivityOf(app.db, { accountId: account.id }))
    return sendCsv(reply, `${account.slug}-activity.csv`, lines)
  })
}
