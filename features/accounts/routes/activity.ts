import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Denied } from '../../../plugins/forms/index.ts'
import { sendCsv } from '../../../plugins/http/csv.ts'
import { always } from '../../../plugins/inertia/index.ts'
import { accountCsvOf } from '../../activity/csv.ts'
import { activityPage } from '../../activity/page.ts'
import { presentActivity } from '../../activity/props.ts'
import { manages } from '../actor.ts'
import { peopleOf } from '../members.ts'
import { memberOf, presentPlace } from '../requests.ts'
import { AccountParams, ActivityQuery, accountRoute } from '../schemas.ts'

const kinds = { members: ['members'], account: ['account'] } as const

/** The account's activity. Managers can read it, owners can also download it. */
export const activityRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const url = `${accountRoute}/activity`

  app.get(url, { schema: { params: AccountParams, querystring: ActivityQuery } }, async (request, reply) => {
    const { account, role } = memberOf(request)
    if (!manages(role)) throw new Denied()
    return reply.page('accounts/activity', {
      ...presentPlace(request),
      membership: always({ role }), // one of the listed activities may have changed it
      ...(await activityPage(app.db, { accountId: account.id }, request.query, kinds, presentActivity)),
      people: () => peopleOf(app.db, account.id),
    })
  })

  app.get(`${url}.csv`, { schema: { params: AccountParams } }, async (request, reply) => {
    const { account, role } = memberOf(request)
    if (role !== 'owner') throw new Denied()
    return sendCsv(reply, `${account.slug}-activity.csv`, accountCsvOf(app.db, account.id))
  })
}
