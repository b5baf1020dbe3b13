import fp from 'fastify-plugin'
import { clientOf } from '../../plugins/http/client.ts'
import { comingFrom } from './client.ts'

export type { OfAccount, OfUser } from './activities.ts'
export { forgetUser } from './deletion.ts'
export { activitiesOf, everyActivityOf } from './lists.ts'
export { record, recording } from './record.ts'

/** What people did, remembered in the transaction in which they did it. All features record; this one knows none of them. */
export const activity = fp(
  async (app) => {
    // Bodies are parsed outside of what earlier hooks have begun.
    app.addHook('preValidation', (request, _reply, done) => comingFrom(clientOf(request), done))
  },
  { name: 'activity' },
)
