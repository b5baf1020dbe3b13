import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Database } from '../../../plugins/database/index.ts'
import { Denied } from '../../../plugins/forms/index.ts'
import { ChallengeBody } from '../../../plugins/forms/parameters.ts'
import { defer, optional } from '../../../plugins/inertia/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { activitiesOf } from '../../activity/index.ts'
import { presentActivity } from '../../activity/props.ts'
import { paths } from '../../paths.ts'
import { checkAccountName, deleteAccount, lastUsedSlug, updateAccount } from '../accounts.ts'
import { manages } from '../actor.ts'
import { firstSteps } from '../first-steps.ts'
import { countMembers, membersWithoutFactor } from '../members.ts'
import { actorOf, changeBudget, formAt, memberOf, presentPlace } from '../requests.ts'
import { AccountParams, accountRoute, SettingsBody } from '../schemas.ts'
import { checkOwnFactor } from '../second-factor-requirement.ts'
import { listsChanged } from '../switcher.ts'

export const accountRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const schema = { params: AccountParams }
  const form = formAt(paths.accountSettings)

  app.get(accountRoute, { schema }, async (request, reply) => {
    const { account, role } = memberOf(request)
    const { user } = request.signedIn

    return reply.page('accounts/show', {
      ...presentPlace(request),
      members_count: defer(() => countMembers(app.db, account.id)),
      first_steps: optional(() => firstSteps(app.db, account.id, user)),
      ...(manages(role) && { latest_activities: optional(() => latestOf(app.db, account.id)) }),
    })
  })

  app.get(`${accountRoute}/settings`, { schema, config: { reauthenticates: true } }, (request, reply) => {
    const { account, role } = memberOf(request)
    return reply.page('accounts/settings', {
      ...presentPlace(request),
      can_manage: manages(role),
      ...(role === 'owner' && {
        require_second_factor: account.requireSecondFactor,
        without_factor: optional(() => membersWithoutFactor(app.db, account.id)),
      }),
    })
  })

  app.route({
    method: ['PATCH', 'PUT'],
    url: `${accountRoute}/settings`,
    schema: { ...schema, body: SettingsBody },
    config: { precognition: true, form, rateLimit: changeBudget },
    async handler(request, reply) {
      const { account, role } = memberOf(request)
      const { name, require_second_factor } = request.body
      const requireSecondFactor = require_second_factor ?? undefined
      if (!manages(role)) throw new Denied()
      if (requireSecondFactor !== undefined && role !== 'owner') throw new Denied()
      // one that stays as it is, as of a personal account, may be longer
      const checked = name === undefined || name === account.name ? name : checkAccountName(name ?? '')
      if (requireSecondFactor) await checkOwnFactor(app.db, request.signedIn.user.id)
      const turnsOff = account.requireSecondFactor && requireSecondFactor === false
      const reauthentication = turnsOff ? await request.reauthenticate() : undefined
      if (request.precognitive) return reply.valid()

      const update = { name: checked, requireSecondFactor, reauthentication }
      const changed = await updateAccount(app.db, actorOf(request), update)
      const notice = requireSecondFactor ? required : noLongerRequired
      return reply
        .flash(listsChanged)
        .notice(changed ? notice : text('Settings saved'))
        .redirect(form(request))
    },
  })

  const config = { form, rateLimit: budget('account_deletion') }
  app.delete(accountRoute, { schema: { ...schema, body: ChallengeBody }, config }, async (request, reply) => {
    if (memberOf(request).role !== 'owner') throw new Denied()
    const { user } = request.signedIn
    await deleteAccount(app.db, actorOf(request), await request.reauthenticate())
    const next = await lastUsedSlug(app.db, user)
    return reply
      .flash(listsChanged)
      .notice(text('Workspace deleted'))
      .redirect(next ? paths.account(next).url : paths.newAccount().url)
  })
}

/** A few, enough for a glance. */
async function latestOf(db: Database, accountId: number) {
  const { page } = await activitiesOf(db, { accountId }, { size: 5 })
  return page.map(presentActivity)
}

const required = text('Two-factor authentication is required now')
const noLongerRequired = text('Two-factor authentication is no longer required')
