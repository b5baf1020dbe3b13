import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { updateAccount } from '../../accounts/account-settings.ts'
import { checkAccountName } from '../../accounts/accounts.ts'
import { activitiesOf } from '../../activity/index.ts'
import { callerOf, countChange, placeOf, placesOf } from '../caller.ts'
import { presentAccount, presentActivity, presentUser } from '../presenters.ts'
import { Account, Activity, ListQuery, listOf, NameBody, operation, positionIn, SlugParams, User } from '../schemas.ts'

export const accountRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const me = operation({ operationId: 'getMe', summary: 'The owner of the token', success: { 200: User } })
  app.get('/me', me, async (request) => presentUser(callerOf(request).user))

  const listing = operation({
    operationId: 'listAccounts',
    summary: 'The workspaces of the owner of the token',
    querystring: ListQuery,
    success: { 200: listOf(Account) },
    fails: [422],
  })
  app.get('/accounts', listing, async (request) => {
    const { page, next } = await placesOf(app.db, callerOf(request).user.id, positionIn(request.query))
    return { data: page.map(presentAccount), next }
  })

  const reading = operation({
    operationId: 'getAccount',
    summary: 'A workspace',
    params: SlugParams,
    success: { 200: Account },
    fails: [403, 404],
  })
  app.get('/accounts/:slug', reading, async (request) => presentAccount(await placeOf(request)))

  const renaming = operation({
    operationId: 'renameAccount',
    summary: 'Rename a workspace. For managers',
    params: SlugParams,
    body: NameBody,
    success: { 200: Account },
    fails: [400, 403, 404, 422],
  })
  app.patch('/accounts/:slug', renaming, async (request) => {
    const place = await placeOf(request, { forManagers: true })
    const { name } = request.body
    // One that stays, as of a personal account, may be longer.
    if (name !== place.name) checkAccountName(name)
    await countChange(app.db, place.actor)
    await updateAccount(app.db, place.actor, { name })
    return presentAccount({ ...place, name })
  })

  const reviewing = operation({
    operationId: 'listActivity',
    summary: 'What happened in a workspace, newest first. For managers',
    params: SlugParams,
    querystring: ListQuery,
    success: { 200: listOf(Activity) },
    fails: [403, 404, 422],
  })
  app.get('/accounts/:slug/activity', reviewing, async (request) => {
    const { id: accountId } = await placeOf(request, { forManagers: true })
    const { page, next } = await activitiesOf(app.db, { accountId }, { before: positionIn(request.query) })
    return { data: page.map(presentActivity), next }
  })
}
