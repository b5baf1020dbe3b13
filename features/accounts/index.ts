import { sql } from 'drizzle-orm'
import fp from 'fastify-plugin'
import { invitations } from '../../drizzle/schema.ts'
import { accountChannel } from './channel.ts'
import { defineMails } from './mails.ts'
import { belowAccount, requireMember } from './member.ts'
import { accountRoutes } from './routes/accounts.ts'
import { homeRoutes } from './routes/home.ts'
import { invitationRoutes } from './routes/invitations.ts'
import { memberRoutes } from './routes/members.ts'
import { joinRoutes, receivedInvitationRoutes } from './routes/received-invitations.ts'
import { shareLists } from './switcher.ts'

// What other features need for what they keep in an account (docs/guide.md).
export { type Actor, asManager, asMember, recordIn } from './actor.ts'
export { broadcastToMembers } from './channel.ts'
export {
  AccountParams,
  accountProps,
  accountRoute,
  actorOf,
  belowAccount,
  changeBudget,
  formAt,
  ItemParams,
  itemFormAt,
  memberOf,
} from './member.ts'
export { peopleOf } from './members.ts'
export { manages } from './roles.ts'
export { listsChanged } from './switcher.ts'

const ninetyDaysMs = 7_776_000_000

type Options = { origin: string; appName: string; invitationOnly: boolean }

export const accounts = fp<Options>(
  async (app, options) => {
    defineMails(app, options)
    app.live.channel(accountChannel)
    await app.register(requireMember, options)
    const ninetyDaysAgo = () => new Date(app.now().getTime() - ninetyDaysMs).toISOString()
    app.sweeper.add({
      table: invitations,
      isExpired: () => sql`coalesce(${invitations.acceptedAt}, ${invitations.expiresAt}) < ${ninetyDaysAgo()}`,
    })
    shareLists(app)

    app.register(homeRoutes, options)
    app.register(receivedInvitationRoutes)
    app.register(joinRoutes, options)
    app.register(async (account) => {
      belowAccount(account)
      account.register(accountRoutes)
      account.register(memberRoutes, options)
      account.register(invitationRoutes)
    })
  },
  { name: 'accounts', dependencies: ['activity', 'inertia', 'session'] },
)
