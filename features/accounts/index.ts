import { lt, sql } from 'drizzle-orm'
import fp from 'fastify-plugin'
import { deletedSlugs, invitations } from '../../drizzle/schema.ts'
import { membersChannel } from './channel.ts'
import { addFirstSteps } from './first-steps.ts'
import { defineMails } from './mails.ts'
import { addMemberGuard, belowAccount } from './member.ts'
import { warnOfUnknown } from './requirements.ts'
import { accountRoutes } from './routes/accounts.ts'
import { homeRoutes } from './routes/home.ts'
import { invitationRoutes } from './routes/invitations.ts'
import { memberRoutes } from './routes/members.ts'
import { receivedInvitationRoutes } from './routes/received-invitations.ts'
import { isFreeAgain } from './slugs.ts'
import { shareLists } from './switcher.ts'

// What other features need for what they keep in an account (docs/guide.md).
export { type Actor, asAllowed, asMember, personOf, requirePerson, type UserActor } from './access.ts'
export { lockAccounts } from './accounts.ts'
export { broadcastToMembers, recordAccountActivity } from './channel.ts'
export type { Ending } from './endings.ts'
export * from './member.ts'
export { may } from './rights.ts'
export { listsChanged } from './switcher.ts'

const ninetyDaysMs = 7_776_000_000

export const accounts = fp(
  async (app) => {
    defineMails(app)
    addFirstSteps(app)
    app.live.channel(membersChannel)
    addMemberGuard(app)
    app.addHook('onReady', () => warnOfUnknown(app))
    const ninetyDaysAgo = () => new Date(app.now().getTime() - ninetyDaysMs)
    const ended = sql`coalesce(${invitations.acceptedAt}, ${invitations.expiresAt})`
    app.sweeper.add({ table: invitations, isExpired: () => lt(ended, ninetyDaysAgo().toISOString()) })
    app.sweeper.add({ table: deletedSlugs, isExpired: () => isFreeAgain(app.now) })
    shareLists(app)

    app.register(homeRoutes)
    app.register(receivedInvitationRoutes)
    app.register(async (account) => {
      belowAccount(account)
      account.register(accountRoutes)
      account.register(memberRoutes)
      account.register(invitationRoutes)
    })
  },
  { name: 'accounts', dependencies: ['activity', 'inertia', 'session'] },
)
