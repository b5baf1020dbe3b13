import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Invalid } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { take } from '../../plugins/security/limits/index.ts'
import { updateAccount } from '../accounts/account-settings.ts'
import { checkAccountName } from '../accounts/accounts.ts'
import { checkInvitee, invitationsOf, invite, revokeInvitation } from '../accounts/invitations.ts'
import { changeRole, removeMember } from '../accounts/member-changes.ts'
import { membersOf } from '../accounts/members.ts'
import { presentInvitation, presentMember } from '../accounts/props.ts'
import { activitiesOf, activitiesSince } from '../activity/lists.ts'
import { presentActivity } from '../activity/props.ts'
import { accountOf, clientOf, countChange, presentAccount } from './clients.ts'
import * as schemas from './schemas.ts'

const { listOf, operation, positionIn } = schemas
const list = { params: schemas.SlugParams, querystring: schemas.ListQuery }

// Presented as to pages. Of that, the schemas let through only what they list.

export const accountRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const [one = schemas.User, ...others] = Array.from(app.tokenKinds, ({ me }) => me)
  const answer = others.length > 0 ? Type.Union([one, ...others]) : one
  const me = operation('getMe', 'The owner of the token', { success: { 200: answer } })
  app.get('/me', me, async (request) => clientOf(request).me())

  const listing = operation('listAccounts', 'The workspaces that the token may know of', {
    querystring: schemas.ListQuery,
    success: { 200: listOf(schemas.Account) },
  })
  app.get('/accounts', listing, async (request) => {
    const { page, next } = await clientOf(request).accounts(positionIn(request.query))
    return { data: page.map(presentAccount), next }
  })

  const reading = operation('getAccount', 'A workspace', {
    params: schemas.SlugParams,
    success: { 200: schemas.Account },
  })
  app.get('/accounts/:slug', reading, async (request) => presentAccount(await accountOf(request)))

  const renaming = operation('renameAccount', 'Rename a workspace. For managers', {
    params: schemas.SlugParams,
    body: schemas.NameBody,
    success: { 200: schemas.Account },
  })
  app.patch('/accounts/:slug', renaming, async (request) => {
    const account = await accountOf(request, 'workspace.rename')
    const { name } = request.body
    // One that stays, as of a personal account, may be longer.
    if (name !== account.name) checkAccountName(name)
    await countChange(app.db, account.actor)
    await updateAccount(app, account.actor, { name })
    return presentAccount({ ...account, name })
  })

  const reviewing = operation('listActivity', 'What happened in a workspace, newest first. For managers', {
    params: schemas.SlugParams,
    querystring: schemas.ActivityQuery,
    success: { 200: listOf(schemas.Activity) },
  })
  app.get('/accounts/:slug/activity', reviewing, async (request) => {
    const { id: accountId } = await accountOf(request, 'activity.read')
    const { since, after } = request.query
    if (since !== undefined && after !== undefined) throw new Invalid({ after: [text('is invalid')] })
    const { page, next } =
      since === undefined
        ? await activitiesOf(app.db, { accountId }, { before: positionIn(request.query) })
        : await activitiesSince(app.db, accountId, Number(since))
    return { data: page.map(presentActivity), next }
  })
}

export const memberRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const listing = operation('listMembers', 'The members of a workspace, in the order they joined', {
    ...list,
    success: { 200: listOf(schemas.Member) },
  })
  app.get('/accounts/:slug/members', listing, async (request) => {
    const { id: accountId } = await accountOf(request)
    const { page, next } = await membersOf(app, accountId, positionIn(request.query) ?? 0)
    return { data: page.map(presentMember), next }
  })

  const changing = operation(
    'changeRole',
    'Change the role of a member who is no owner, to another than owner. For managers',
    { params: schemas.ItemParams, body: schemas.RoleBody, success: { 200: schemas.Member } },
  )
  app.patch('/accounts/:slug/members/:id', changing, async (request) => {
    const { actor } = await accountOf(request)
    const id = Number(request.params.id)
    await countChange(app.db, actor)
    await changeRole(app, actor, { membershipId: id, role: request.body.role })
    const { page } = await membersOf(app, actor.accountId, id - 1)
    const member = page.find((each) => each.id === id)
    if (!member) throw new NotFound() // somebody removed the member meanwhile
    return presentMember(member)
  })

  const removing = operation(
    'removeMember',
    'Remove a member who is no owner, or leave. Others are removed by managers',
    { params: schemas.ItemParams, success: { 204: Type.Null() } },
  )
  app.delete('/accounts/:slug/members/:id', removing, async (request, reply) => {
    const { actor } = await accountOf(request)
    await countChange(app.db, actor)
    await removeMember(app, actor, { membershipId: Number(request.params.id) })
    return reply.code(204).send(null)
  })
}

export const invitationRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const listing = operation(
    'listInvitations',
    'The pending and expired invitations to a workspace, newest first. For managers',
    { ...list, success: { 200: listOf(schemas.Invitation) } },
  )
  app.get('/accounts/:slug/invitations', listing, async (request) => {
    const { id: accountId } = await accountOf(request, 'members.invite')
    const { page, next } = await invitationsOf(app.db, accountId, positionIn(request.query))
    return { data: page.map(presentInvitation), next }
  })

  const inviting = operation('invite', 'Invite someone to a workspace by mail. For managers', {
    params: schemas.SlugParams,
    body: schemas.InvitationBody,
    success: { 201: schemas.Invitation },
  })
  app.post('/accounts/:slug/invitations', inviting, async (request, reply) => {
    const { actor, role, ...account } = await accountOf(request, 'members.invite')
    await take(app.db, 'invitation', actor.accountId)
    const invitee = await checkInvitee(app, { actor, role, account }, request.body)
    return reply.code(201).send(presentInvitation(await invite(app, actor, invitee)))
  })

  const revoking = operation('revokeInvitation', 'Revoke an invitation. For managers', {
    params: schemas.ItemParams,
    success: { 204: Type.Null() },
  })
  app.delete('/accounts/:slug/invitations/:id', revoking, async (request, reply) => {
    const { actor } = await accountOf(request)
    await countChange(app.db, actor)
    await revokeInvitation(app, actor, Number(request.params.id))
    return reply.code(204).send(null)
  })
}
