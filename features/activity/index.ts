import { sql } from 'drizzle-orm'
import fp from 'fastify-plugin'
import { activities } from '../../drizzle/schema.ts'
import { clientOf } from '../../plugins/http/client.ts'
import { comingFrom } from './client.ts'

export { comingFrom } from './client.ts'
export { forgetUser } from './deletion.ts'
export { activitiesOf, everyActivityOf } from './lists.ts'
export { record, recording } from './record.ts'

const aDay = 86_400_000 // milliseconds

/** What people did, remembered in the transaction in which they did it. All features record; this one knows none of them. */
export const activity = fp<{ days: number }>(
  async (app, { days }) => {
    // Bodies are parsed outside of what earlier hooks have begun.
    app.addHook('preValidation', (request, _reply, done) => comingFrom(clientOf(request), done))

    const since = () => new Date(app.now().getTime() - days * aDay).toISOString()
    app.sweeper.add({
      name: 'activities',
      table: activities,
      key: activities.id,
      over: () => sql`${activities.createdAt} < ${since()}`,
      oldestFirst: true,
    })
  },
  { name: 'activity', dependencies: ['clock', 'sweeper'] },
)
