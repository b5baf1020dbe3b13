import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { roles } from '../../../drizzle/schema.ts'
import { ChallengeBody, Cursor, challengeFields, idPattern, OptionalText } from '../../../plugins/forms/parameters.ts'
import { clientSignal } from '../../../plugins/http/request.ts'
import { inTurn } from '../../../plugins/in-turn.ts'
import { always, optional } from '../../../plugins/inertia/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { paged, rowsOf, searchIn } from '../../../plugins/lists.ts'
import { clientKey, take } from '../../../plugins/security/limits/index.ts'
import { reauthenticate } from '../../auth/reauthentication/index.ts'
import { formRoute } from '../../forms.ts'
import { paths } from '../../paths.ts'
import { countPending, invitationsOf, isExpired } from '../invitations.ts'
import {
  AccountParams,
  accountProps,
  accountRoute,
  actorOf,
  changeBudget,
  formAt,
  ItemParams,
  memberOf,
} from '../member.ts'
import {
  changeRole,
  checkRemoval,
  checkRole,
  checkTransfer,
  removeMember,
  transferOwnership,
} from '../member-changes.ts'
import { countMatches, countMembers, hasAnotherOwner, isFilter, membersOf } from '../members.ts'
import { presentMember, presentMemberToManager, presentSentInvitation, type Search, sorts } from '../props.ts'
import { may, owns } from '../rights.ts'
import { listsChanged } from '../switcher.ts'

declare module '../../../plugins/forms/flash.ts' {
  interface FlashState {
    /** The options in which something ended with the removal of a member, which each may say on the members page. */
    ended?: string[]
  }
}

const MembersQuery = Type.Object({
  after: Cursor,
  invited_before: Cursor,
  q: Type.Optional(Type.String()),
  role: Type.Optional(Type.String()),
  second_factor: Type.Optional(Type.String()),
  sort: Type.Optional(Type.String()),
})
const RoleBody = Type.Object({ role: OptionalText, ...challengeFields })

type Query = { q?: string; role?: string; second_factor?: string; sort?: string }

/** Ignores filters that cannot match, and those that would tell members what only managers see. */
const searchOf = ({ q, role, second_factor, sort }: Query, canManage: boolean): Search => ({
  q: searchIn(q),
  role: roles.find((name) => name === role) ?? '',
  second_factor: (canManage && (['yes', 'no'] as const).find((answer) => answer === second_factor)) || '',
  sort: sorts.find((name) => name === sort && (canManage || name !== 'seen')) ?? '',
})

export const memberRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const url = `${accountRoute}/members`
  const searching = inTurn() // a search reads all members

  const schema = { params: AccountParams, querystring: MembersQuery }
  app.get(url, { schema, config: { reauthenticates: true } }, async (request, reply) => {
    const { account, role } = memberOf(request)
    const canManage = may(role, 'members.manage')
    const canInvite = may(role, 'members.invite')
    const after = Number(request.query.after ?? 0)
    const before = request.query.invited_before ? Number(request.query.invited_before) : undefined
    const search = searchOf(request.query, canManage)
    const isSearch = isFilter(search)
    const find = <Result>(work: () => Promise<Result>) =>
      isSearch || search.sort ? searching(request.signedIn.user.id, clientSignal(reply), work) : work()
    const countInvitations = async (q: string) => (canInvite ? countPending(app.db, account.id, { q }) : 0)

    const present = canManage ? presentMemberToManager : presentMember
    return reply.page('accounts/members', {
      ...accountProps(request),
      // The list reloads when a role changes, which may be the current user's own.
      membership: always({ role }),
      members: paged('after', after || null, async () => {
        const { page, next } = await find(() => membersOf(app, account.id, after, search, rowsOf(request, 'after')))
        return { page: page.map(present), next }
      }),
      search:
        isSearch || search.sort
          ? async () => ({
              ...search,
              found: await find(() => countMatches(app, account.id, search)),
              found_invitations: await find(() => countInvitations(search.q)),
            })
          : optional(() => ({ ...search, found: 0, found_invitations: 0 })),
      totals: optional(async () => ({
        members: await countMembers(app.db, account.id),
        invitations: await countInvitations(''),
        sole_owner: owns(role) && !(await hasAnotherOwner(app.db, account.id, request.signedIn.user.id)),
      })),
      invitations: canInvite
        ? paged('invited_before', before, async () => {
            const size = rowsOf(request, 'invited_before')
            const { page, next } = await find(() => invitationsOf(app.db, account.id, before, search.q, size))
            return { page: page.map(presentSentInvitation), next }
          })
        : [],
      ...(canManage && {
        expired_invitations: () => countPending(app.db, account.id, { which: isExpired(app.now()) }),
      }),
      can_manage: always(canManage),
    })
  })

  const form = formAt(paths.members)
  const changing = formRoute(form, changeBudget, { params: ItemParams, body: RoleBody })
  app.patch(`${url}/${idPattern}`, changing, async (request, reply) => {
    const actor = actorOf(request)
    const change = { membershipId: Number(request.params.id), role: request.body.role ?? '' }
    const { makesOwner, unmakesOwner } = await checkRole(app.db, actor, memberOf(request).role, change)
    const reauthentication = makesOwner || unmakesOwner ? await reauthenticateOwner(request) : undefined
    await changeRole(app, actor, { ...change, reauthentication })
    return reply.notice(text('Role updated')).redirect(form(request))
  })

  const transferring = formRoute(form, changeBudget, { params: ItemParams, body: ChallengeBody })
  app.post(`${url}/${idPattern}/ownership`, transferring, async (request, reply) => {
    const actor = actorOf(request)
    const membershipId = Number(request.params.id)
    await checkTransfer(app.db, actor, memberOf(request).role, membershipId)
    const reauthentication = await reauthenticateOwner(request)
    await transferOwnership(app, actor, { membershipId, reauthentication })
    return reply.notice(text('Ownership transferred')).redirect(form(request))
  })

  const removing = formRoute(form, changeBudget, { params: ItemParams, body: ChallengeBody })
  app.delete(`${url}/${idPattern}`, removing, async (request, reply) => {
    const actor = actorOf(request)
    const membershipId = Number(request.params.id)
    const { unmakesOwner } = await checkRemoval(app.db, actor, memberOf(request).role, membershipId)
    const reauthentication = unmakesOwner ? await reauthenticateOwner(request) : undefined
    const { left, ended } = await removeMember(app, actor, { membershipId, reauthentication })
    if (left)
      return reply
        .flash(listsChanged)
        .notice(text('You left {name}', { name: memberOf(request).account.name }))
        .redirect(paths.home().url)
    return reply.flash({ notice: text('Member removed'), ...(ended.length > 0 && { ended }) }).redirect(form(request))
  })
}

/** Limited like other forms that ask who it is, besides the changes of a role that do not. */
async function reauthenticateOwner(request: FastifyRequest) {
  await take(request.server.db, 'ownership', clientKey(request))
  return reauthenticate(request)
}
