import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { Cursor, idParam } from '../../plugins/forms/parameters.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { paged } from '../../plugins/lists.ts'
import { selectAccounts } from '../accounts/accounts.ts'
import { broadcastToMembers } from '../accounts/channel.ts'
import { membershipIn, requireActive, setRole } from '../accounts/member-changes.ts'
import { mailOwners } from '../accounts/owner-mails.ts'
import { owns } from '../accounts/rights.ts'
import { addActions } from './actions.ts'
import { findAccounts, membersWithUserIds, openInvitationsOf, SearchQuery } from './lists.ts'
import { operatorPaths } from './paths.ts'
import { presentAccountRow } from './props.ts'

const url = `${operatorPaths.accounts().url}/${idParam('accountId')}`
const params = Type.Object({ accountId: Type.String() })
const UserId = Type.Optional(Type.Union([Type.Integer(), Type.String(), Type.Null()]))

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
    const id = Number(request.params.accountId)
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

  addActions(app, 'account', {
    path: operatorPaths.makeOwner,
    log: 'owner_added',
    fields: { user_id: UserId },
    async act(app, tx, accountId, { body, signedIn }) {
      const userId = idIn((body as { user_id?: Static<typeof UserId> }).user_id)
      await makeOwner(app, tx, accountId, userId)
      const ownMemberships = await selectAccounts(tx, signedIn.user.id, eq(memberships.accountId, accountId))
      if (ownMemberships.length > 0) throw new Refused(text("You can't do that in a workspace of yours"))
      const [owner] = await tx.select({ name: users.name }).from(users).where(eq(users.id, userId))
      return text('{name} is an owner now', { name: owner?.name ?? '' })
    },
  })
}

/** Nobody has the id 0. */
const idIn = (value: number | string | null | undefined) => (/^\d{1,15}$/.test(String(value)) ? Number(value) : 0)

/** Makes a member an owner, and tells the other owners. Throws NotFound or Refused. */
export async function makeOwner(app: FastifyInstance, tx: Tx, accountId: number, userId: number) {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('no key update')
  const member = await membershipIn(tx, { accountId }, eq(memberships.userId, userId))
  if (owns(member.role)) return
  await requireActive(tx, member)
  const activityId = await setRole(tx, { accountId, userId: null }, member, 'owner')
  await broadcastToMembers(tx, accountId, 'members')
  await mailOwners(app, tx, 'owner_added', { activityId }, { accountId, except: userId })
}
