import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../../plugins/database/index.ts'
import { ChallengeBody, Cursor, challengeFields, OptionalText } from '../../../plugins/forms/parameters.ts'
import { fileRoute } from '../../../plugins/http/files.ts'
import { always, defer, optional } from '../../../plugins/inertia/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { rowsOf } from '../../../plugins/lists.ts'
import { accountCsvOf, sendActivity } from '../../activity/csv.ts'
import { filterFields } from '../../activity/filters.ts'
import { activitiesOf, activityPage, wantedIn } from '../../activity/lists.ts'
import { presentActivity } from '../../activity/props.ts'
import { reauthenticate } from '../../auth/reauthentication/index.ts'
import { checkedRoute, formRoute } from '../../forms.ts'
import { paths } from '../../paths.ts'
import { requireAllowed } from '../access.ts'
import { type AccountChange, deleteAccount, settingFields, updateAccount } from '../account-settings.ts'
import { checkAccountName, lastUsedPath } from '../accounts.ts'
import { asksForTeam, firstStepsOf } from '../first-steps.ts'
import { AccountParams, accountProps, accountRoute, actorOf, changeBudget, formAt, memberOf } from '../member.ts'
import { countMembers, membersToChooseFrom } from '../members.ts'
import { managerStats, peopleIn } from '../overview.ts'
import { presentPeople } from '../props.ts'
import { may } from '../rights.ts'
import { listsChanged } from '../switcher.ts'

const SettingsBody = Type.Object({
  name: OptionalText,
  ...challengeFields,
})
const ActivityQuery = Type.Object({
  before: Cursor,
  kind: Type.Optional(Type.Enum(['members', 'account'])),
  ...filterFields,
})

export const accountRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const schema = { params: AccountParams }
  const form = formAt(paths.accountSettings)

  app.get(accountRoute, { schema }, async (request, reply) => {
    const { account, role, joinedAt } = memberOf(request)
    const { user } = request.signedIn
    const isManager = may(role, 'members.manage')
    return reply.page('accounts/show', {
      ...accountProps(request),
      members_count: defer(() => countMembers(app.db, account.id)),
      first_steps: defer(() => firstStepsOf(app, user, account, isManager)),
      ...(account.personalUserId === user.id && { asks_for_team: defer(() => asksForTeam(app.db, user.id)) }),
      ...(isManager
        ? { figures: defer(() => managerStats(app, account)) }
        : { people: defer(async () => presentPeople({ ...(await peopleIn(app.db, account.id)), joinedAt })) }),
      ...(may(role, 'activity.read') && { latest_activities: defer(() => latestOf(app.db, account.id)) }),
    })
  })

  app.get(`${accountRoute}/settings`, { schema, config: { reauthenticates: true } }, (request, reply) => {
    const { account, role } = memberOf(request)
    return reply.page('accounts/settings', {
      ...accountProps(request),
      can_manage: may(role, 'workspace.rename'),
      ...(may(role, 'workspace.delete') && { losing: optional(() => countMembers(app.db, account.id)) }),
    })
  })

  const body = Type.Object({ ...settingFields, ...SettingsBody.properties }) as typeof SettingsBody
  const updating = checkedRoute(form, changeBudget, { ...schema, body })
  app.patch(`${accountRoute}/settings`, updating, async (request, reply) => {
    const { account, role } = memberOf(request)
    const { name } = request.body
    requireAllowed(role, 'workspace.rename')
    // The name of a personal account may be longer, and can stay.
    const checked = name === undefined || name === account.name ? name : checkAccountName(name ?? '')
    const changes: AccountChange[] = []
    for (const read of app.accountSettings) {
      const change = await read(request)
      if (change) changes.push(change)
    }
    if (request.precognitive) return reply.valid()

    const notice = await updateAccount(app, actorOf(request), { name: checked, changes })
    return reply
      .flash(listsChanged)
      .notice(notice ?? text('Settings saved'))
      .redirect(form(request))
  })

  const deletion = formRoute(form, 'account_deletion', { ...schema, body: ChallengeBody })
  app.delete(accountRoute, deletion, async (request, reply) => {
    requireAllowed(memberOf(request).role, 'workspace.delete')
    await deleteAccount(app, actorOf(request), await reauthenticate(request))
    const next = await lastUsedPath(app.db, request.signedIn.user)
    return reply.flash(listsChanged).notice(text('Workspace deleted')).redirect(next)
  })

  // Managers can read the activity, owners can also download it.
  const ofActivity = { params: AccountParams, querystring: ActivityQuery }
  app.get(`${accountRoute}/activity`, { schema: ofActivity }, async (request, reply) => {
    const { account, role } = memberOf(request)
    requireAllowed(role, 'activity.read')
    return reply.page('accounts/activity', {
      ...accountProps(request),
      membership: always({ role }), // one of the listed activities may have changed it
      ...(await activityPage(
        app.db,
        { accountId: account.id },
        rowsOf(request, 'before'),
        request.query,
        presentActivity,
      )),
      people: () => membersToChooseFrom(app.db, account.id),
    })
  })

  const limit = 'account_activity_file'
  const file = { ...fileRoute, ...formRoute(formAt(paths.accountActivity), limit, ofActivity) }
  app.get(`${accountRoute}/activity.csv`, file, async (request, reply) => {
    const { account, role } = memberOf(request)
    requireAllowed(role, 'activity.export')
    const lines = accountCsvOf(app.db, account.id, wantedIn(request.query))
    return sendActivity(reply, { name: `${account.slug}-activity.csv`, lines, limit })
  })
}

async function latestOf(db: Database, accountId: number) {
  const { page } = await activitiesOf(db, { accountId }, { size: 5 })
  return page.map(presentActivity)
}
