import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { Cursor, challengeFields, idParam } from '../../plugins/forms/parameters.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { paged } from '../../plugins/lists.ts'
import { selectAccounts } from '../accounts/accounts.ts'
import { makeOwner } from '../accounts/member-changes.ts'
import { formRoute } from '../forms.ts'
import { operate, operatorBudget } from './guard.ts'
import { findAccounts, membersWithUserIds, openInvitationsOf, SearchQuery } from './lists.ts'
import { operatorPaths } from './paths.ts'
import { presentAccountRow } from './props.ts'

export const url = `${operatorPaths.accounts().url}/${idParam('accountId')}`
export const params = Type.Object({ accountId: Type.String() })
const OwnerBody = Type.Object({
  user_id: Type.Optional(Type.Union([Type.Integer(), Type.String(), Type.Null()])),
  ...challengeFields,
})

export const targetIn = ({ params }: FastifyRequest) => Number((params as { accountId: string }).accountId)
export const pageOfTarget = (request: FastifyRequest) => operatorPaths.account(targetIn(request)).url

export const accountRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db, requirements } = app

  const listing = { schema: { querystring: SearchQuery }, config: { operatorAction: 'accounts_listed' } } as const
  app.get(operatorPaths.accounts().url, listing, ({ query }, reply) =>
    reply.page('operators/accounts', {
      accounts: paged('before', query.before, () => findAccounts(db, query)),
      q: query.q ?? '',
    }),
  )

  const looking = {
    schema: { params, querystring: Type.Object({ after: Cursor }) },
    config: { operatorAction: 'account_viewed' },
  } as const
  app.get(url, looking, async (request, reply) => {
    const id = targetIn(request)
    const { after } = request.query
    const [account] = await db.select().from(accounts).where(eq(accounts.id, id))
    if (!account) throw new NotFound()
    return reply.page('operators/account', {
      account: presentAccountRow(account),
      members: paged('after', after, () => membersWithUserIds(app, id, Number(after ?? 0))),
      requires: {
        second_factor: account.requireSecondFactor,
        sso: account.requireSingleSignOn && requirements.some(({ required }) => required === 'requireSingleSignOn'),
      },
      invitations: await openInvitationsOf(app, id),
    })
  })

  const { schema, config } = formRoute(pageOfTarget, operatorBudget, { params, body: OwnerBody })
  const promoting = { schema, config: { ...config, operatorAction: 'owner_added' } } as const
  app.put(`${url}/owner`, promoting, async (request, reply) => {
    const userId = idIn(request.body.user_id)
    const accountId = targetIn(request)
    const name = await operate(request, async (tx) => {
      await makeOwner(app, tx, accountId, userId)
      const ownMemberships = await selectAccounts(tx, request.signedIn.user.id, eq(memberships.accountId, accountId))
      if (ownMemberships.length > 0) throw new Refused(text("You can't do that in a workspace of yours"))
      const [owner] = await tx.select({ name: users.name }).from(users).where(eq(users.id, userId))
      return owner?.name ?? ''
    })
    return reply.notice(text('{name} is an owner now', { name })).redirect(pageOfTarget(request))
  })
}

/** Nobody has the id 0. */
const idIn = (value: number | string | null | undefined) => (/^\d{1,15}$/.test(String(value)) ? Number(value) : 0)
