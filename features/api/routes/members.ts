import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { NotFound } from '../../../plugins/http/errors.ts'
import { membersOf } from '../../accounts/members.ts'
import { changeRole, removeMember } from '../../accounts/memberships.ts'
import { countChange, placeOf } from '../caller.ts'
import { presentMember } from '../presenters.ts'
import { ItemParams, ListQuery, listOf, Member, operation, positionIn, RoleBody, SlugParams } from '../schemas.ts'

const everyone = { q: '', role: '', second_factor: '' } as const

export const memberRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const listing = operation({
    operationId: 'listMembers',
    summary: 'The members of a workspace, in the order they joined',
    params: SlugParams,
    querystring: ListQuery,
    success: { 200: listOf(Member) },
    fails: [403, 404, 422],
  })
  app.get('/accounts/:slug/members', listing, async (request) => {
    const { id: accountId } = await placeOf(request)
    const { members, next } = await membersOf(app.db, accountId, positionIn(request.query) ?? 0, everyone)
    return { data: members.map(presentMember), next }
  })

  const changing = operation({
    operationId: 'changeRole',
    summary: 'Change the role of a member. For managers, and for owners if one of both roles is owner',
    params: ItemParams,
    body: RoleBody,
    success: { 200: Member },
    fails: [400, 403, 404, 422],
  })
  app.patch('/accounts/:slug/members/:id', changing, async (request) => {
    const { actor } = await placeOf(request)
    const id = Number(request.params.id)
    await countChange(app.db, actor)
    await changeRole(app.db, actor, id, request.body.role)
    const { members } = await membersOf(app.db, actor.accountId, id - 1, everyone)
    const member = members.find((each) => each.id === id)
    if (!member) throw new NotFound() // removed since
    return presentMember(member)
  })

  const removing = operation({
    operationId: 'removeMember',
    summary: 'Remove a member, or leave. Others are removed by managers, owners by owners',
    params: ItemParams,
    success: { 204: Type.Null() },
    fails: [403, 404, 422],
  })
  app.delete('/accounts/:slug/members/:id', removing, async (request, reply) => {
    const { actor } = await placeOf(request)
    await countChange(app.db, actor)
    await removeMember(app.db, actor, Number(request.params.id))
    return reply.code(204).send(null)
  })
}
