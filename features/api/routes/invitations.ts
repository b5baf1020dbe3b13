import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { take } from '../../../plugins/security/limits/index.ts'
import { checkInvitee, invitationsOf, invite, revokeInvitation } from '../../accounts/invitations.ts'
import { countChange, placeOf } from '../caller.ts'
import { presentInvitation } from '../presenters.ts'
import {
  Invitation,
  InvitationBody,
  ItemParams,
  ListQuery,
  listOf,
  operation,
  positionIn,
  SlugParams,
} from '../schemas.ts'

export const invitationRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const listing = operation({
    operationId: 'listInvitations',
    summary: 'The pending and expired invitations to a workspace, newest first. For managers',
    params: SlugParams,
    querystring: ListQuery,
    success: { 200: listOf(Invitation) },
    fails: [403, 404, 422],
  })
  app.get('/accounts/:slug/invitations', listing, async (request) => {
    const { id: accountId } = await placeOf(request, { forManagers: true })
    const { page, next } = await invitationsOf(app.db, accountId, positionIn(request.query))
    return { data: page.map(presentInvitation), next }
  })

  const inviting = operation({
    operationId: 'invite',
    summary: 'Invite someone to a workspace by mail. For managers',
    params: SlugParams,
    body: InvitationBody,
    success: { 201: Invitation },
    fails: [400, 403, 404, 422],
  })
  app.post('/accounts/:slug/invitations', inviting, async (request, reply) => {
    const { actor } = await placeOf(request, { forManagers: true })
    await take(app.db, 'invitation', actor.accountId)
    const invitee = await checkInvitee(app, actor.accountId, request.body)
    return reply.code(201).send(presentInvitation(await invite(app, actor, invitee)))
  })

  const revoking = operation({
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation. For managers',
    params: ItemParams,
    success: { 204: Type.Null() },
    fails: [403, 404],
  })
  app.delete('/accounts/:slug/invitations/:id', revoking, async (request, reply) => {
    const { actor } = await placeOf(request)
    await countChange(app.db, actor)
    await revokeInvitation(app.db, actor, Number(request.params.id))
    return reply.code(204).send(null)
  })
}
