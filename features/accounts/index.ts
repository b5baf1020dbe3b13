import { sql } from 'drizzle-orm'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { invitations } from '../../drizzle/schema.ts'
import { isPrefetch, optional } from '../../plugins/inertia/index.ts'
import { authOf } from '../../plugins/security/session.ts'
import { paths } from '../paths.ts'
import { personalSlug, rememberAccount } from './accounts.ts'
import { openChannel } from './channel.ts'
import { defineMails } from './mails.ts'
import { formAt } from './requests.ts'
import requireMember, { memberOf } from './require-member.ts'
import { ShutOut } from './requirement.ts'
import { accountRoutes } from './routes/accounts.ts'
import { activityRoutes } from './routes/activity.ts'
import { homeRoutes } from './routes/home.ts'
import { invitationRoutes, receivedInvitationRoutes } from './routes/invitations.ts'
import { memberRoutes } from './routes/members.ts'
import { newAccountRoutes } from './routes/new-account.ts'
import { shareAccounts } from './switcher.ts'

const ninetyDays = 7_776_000_000 // milliseconds

type Options = { origin: string; appName: string; invitationOnly: boolean }

/** Accounts, their members and invitations. */
export const accounts: FastifyPluginAsync<Options> = async (app, options) => {
  defineMails(app, options)
  openChannel(app)
  await app.register(requireMember, options)
  const ninetyDaysAgo = () => new Date(app.now().getTime() - ninetyDays).toISOString()
  app.sweeper.add({
    name: 'invitations',
    table: invitations,
    key: invitations.id,
    isExpired: () => sql`coalesce(${invitations.acceptedAt}, ${invitations.expiresAt}) < ${ninetyDaysAgo()}`,
  })
  shareAccounts(app)

  // Optional, since the account switcher requests it only when opened.
  app.share('personal_account', ({ auth }) => (auth ? optional(() => personalSlug(app.db, auth.user.id)) : undefined))

  app.register(homeRoutes, options)
  app.register(newAccountRoutes)
  app.register(receivedInvitationRoutes)
  // Registered together below /{slug}, so no account route can forget the membership check.
  app.register(async (account) => {
    account.addHook('onRequest', account.requireMember)
    account.setErrorHandler((error, _request, reply) => {
      if (error instanceof ShutOut) return app.leadToFactor(reply, error)
      throw error
    })
    account.addHook('onRequest', (request, _reply, done) => {
      const { user } = authOf(request)
      const { id } = memberOf(request).account
      if (user.lastAccountId === id || !isVisit(request)) return done()
      rememberAccount(app.db, user.id, id).then(() => done(), done)
    })
    account.addHook('onRoute', (route) => {
      route.config = { ...route.config, deniedTo: formAt(paths.account) }
    })
    account.register(accountRoutes)
    account.register(memberRoutes)
    account.register(activityRoutes)
    account.register(invitationRoutes)
  })
}

// A prefetch on hover is none, nor is the reload of a tab in the background.
const isVisit = (request: FastifyRequest) =>
  request.method === 'GET' && !isPrefetch(request) && request.headers['x-unattended'] === undefined
