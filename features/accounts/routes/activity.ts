import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Denied } from '../../../plugins/forms/index.ts'
import { fileRoute } from '../../../plugins/http/files.ts'
import { always } from '../../../plugins/inertia/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { accountCsvOf, sendActivity } from '../../activity/csv.ts'
import { activityPage, wantedIn } from '../../activity/page.ts'
import { presentActivity } from '../../activity/props.ts'
import { paths } from '../../paths.ts'
import { manages } from '../actor.ts'
import { membersToChooseFrom } from '../members.ts'
import { formAt, memberOf, presentPlace } from '../requests.ts'
import { AccountParams, ActivityQuery, accountRoute } from '../schemas.ts'

const kinds = { members: ['members'], account: ['account'] } as const

/** The account's activity. Managers can read it, owners can also download it. */
export const activityRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const url = `${accountRoute}/activity`
  const schema = { params: AccountParams, querystring: ActivityQuery }

  app.get(url, { schema }, async (request, reply) => {
    const { account, role } = memberOf(request)
    if (!manages(role)) throw new Denied()
    return reply.page('accounts/activity', {
      ...presentPlace(request),
      membership: always({ role }), // one of the listed activities may have changed it
      ...(await activityPage(app.db, { accountId: account.id }, request.query, kinds, presentActivity)),
      people: () => membersToChooseFrom(app.db, account.id),
    })
  })

  const limit = 'account_activity_file'
  const config = { form: formAt(paths.accountActivity), rateLimit: budget(limit) }
  app.get(`${url}.csv`, { ...fileRoute, schema, config }, async (request, reply) => {
    const { account, role } = memberOf(request)
    if (role !== 'owner') throw new Denied()
    const lines = accountCsvOf(app.db, account.id, wantedIn(request.query, kinds))
    return sendActivity(reply, { name: `${account.slug}-activity.csv`, lines, limit })
  })
}
