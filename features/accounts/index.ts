import { sql } from 'drizzle-orm'
import fp from 'fastify-plugin'
import { invitations } from '../../drizzle/schema.ts'
import { optional } from '../../plugins/inertia/index.ts'
import { personalSlug } from './accounts.ts'
import { accountChannel } from './channel.ts'
import { defineMails } from './mails.ts'
import requireMember, { belowAccount } from './require-member.ts'
import { accountRoutes } from './routes/accounts.ts'
import { activityRoutes } from './routes/activity.ts'
import { homeRoutes } from './routes/home.ts'
import { invitationRoutes } from './routes/invitations.ts'
import { memberRoutes } from './routes/members.ts'
import { newAccountRoutes } from './routes/new-account.ts'
import { receivedInvitationRoutes } from './routes/received-invitations.ts'
import { shareLists } from './switcher.ts'

// What other features need for what they keep in an account (docs/guide.md).
export { type Actor, asManager, asMember, manages, recordByClock, recordIn } from './actor.ts'
export { broadcastToMembers } from './channel.ts'
export { peopleOf } from './members.ts'
export { actorOf, changeBudget, formAt, itemFormAt, memberOf, presentPlace } from './requests.ts'
export { belowAccount } from './require-member.ts'
export { AccountParams, accountRoute, ItemParams } from './schemas.ts'

const ninetyDaysMs = 7_776_000_000

type Options = { origin: string; appName: string; invitationOnly: boolean }

/** Accounts, their members and invitations. Other features may have routes below /{slug}, too. */
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

    // Optional, since the account switcher requests it only when opened.
    app.share('personal_account', ({ auth }) => (auth ? optional(() => personalSlug(app.db, auth.user.id)) : undefined))

    app.register(homeRoutes, options)
    app.register(newAccountRoutes)
    app.register(receivedInvitationRoutes)
    app.register(async (account) => {
      belowAccount(account)
      account.register(accountRoutes)
      account.register(memberRoutes)
      account.register(activityRoutes)
      account.register(invitationRoutes)
    })
  },
  { name: 'accounts', dependencies: ['activity', 'inertia', 'session'] },
)
