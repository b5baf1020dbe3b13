import { and, lt, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { emailChanges, memberships, sessions, users } from '../../drizzle/schema.ts'
import { neverVerified } from '../auth/addresses.ts'
import { removeUser } from '../auth/user-deletion.ts'
import { paths } from '../paths.ts'
import { defineMails } from './mails.ts'
import { changeRoutes } from './routes/changes.ts'
import { overviewRoutes } from './routes/overview.ts'

export const settings: FastifyPluginAsync = async (app) => {
  defineMails(app)
  sweepUsers(app)
  app.addHook('onRequest', app.requireUser)

  app.get(paths.settings().url, (_request, reply) => reply.redirect(paths.profile().url))
  app.register(changeRoutes)
  app.register(overviewRoutes)
}

const batchSize = 100
const thirtyDaysMs = 2_592_000_000

function sweepUsers(app: FastifyInstance) {
  const monthAgo = () => new Date(app.now().getTime() - thirtyDaysMs)
  app.sweeper.add({
    table: emailChanges,
    // Until the new address is verified, the change may have to be undone.
    isExpired: () =>
      and(
        lt(emailChanges.createdAt, monthAgo()),
        sql`exists (select from ${users} where ${users.id} = ${emailChanges.userId} and ${users.verified})`,
      ),
  })

  // Users who never proved an address, were not seen for 30 days, and share no account with anyone. They are deleted,
  // or they would keep others from signing up with addresses that may not be theirs.
  const isAbandoned = () =>
    and(
      lt(users.createdAt, monthAgo()),
      neverVerified,
      sql`not exists (select from ${sessions} seen
        where seen.user_id = ${users.id} and seen.last_seen_at >= ${monthAgo().toISOString()})`,
      sql`not exists (select from ${memberships} mine
        join ${memberships} other on other.account_id = mine.account_id and other.user_id <> mine.user_id
        where mine.user_id = ${users.id})`,
    )
  app.sweeper.add({
    table: users,
    async removeBatch() {
      const abandoned = await app.db.select({ id: users.id }).from(users).where(isAbandoned()).limit(batchSize)
      let removed = 0
      for (const { id } of abandoned) removed += Number(await removeUser(app, id, isAbandoned()))
      return removed
    },
  })
}
