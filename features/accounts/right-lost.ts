import type { FastifyInstance } from 'fastify'
import type { Tx } from '../../plugins/database/index.ts'
import { may, type Right } from './rights.ts'

export type Lost = { activityId: number; actorId: number | null; userId: number; accountId: number }

/** Runs `handler` when a member of an account leaves, is removed, or gets a role without this right. */
export function onRightLost(app: FastifyInstance, right: Right, handler: (tx: Tx, lost: Lost) => Promise<unknown>) {
  type Recorded = { id: number; actorId: number | null; userId: number | null; accountId: number | null }
  const handle = (tx: Tx, { id: activityId, actorId, userId, accountId }: Recorded) =>
    handler(tx, { activityId, actorId, userId: userId ?? 0, accountId: accountId ?? 0 })
  app.onRecorded(['member_left', 'member_removed'], handle)
  app.onRecorded(['role_changed'], async (tx, activity) => {
    const { from, to } = activity.details
    if (may(from, right) && !may(to, right)) await handle(tx, activity)
  })
}
