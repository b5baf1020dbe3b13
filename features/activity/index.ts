import { sql } from 'drizzle-orm'
import fp from 'fastify-plugin'
import { activities } from '../../drizzle/schema.ts'

export { forgetUser } from './deletion.ts'
export { activitiesOf, everyActivityOf } from './lists.ts'
export { noClient, record, recording } from './record.ts'

const aDayMs = 86_400_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Users who are downloading activity from this process. */
    activityReaders: Set<number>
  }
}

/** Records what people do, in the same transaction. All features record, and this one depends on none of them. */
export const activity = fp<{ days: number }>(
  async (app, { days }) => {
    app.decorate('activityReaders', new Set<number>())

    const since = () => new Date(app.now().getTime() - days * aDayMs).toISOString()
    app.sweeper.add({
      table: activities,
      isExpired: () => sql`${activities.createdAt} < ${since()}`,
    })
  },
  { name: 'activity', dependencies: ['sweeper'] },
)
