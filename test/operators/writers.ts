import { makeOwner } from '../../features/operators/accounts.ts'
import type { World } from '../locks/writers.ts'

// What test/locks lets collide.

export const operatorWriters: Record<string, (world: World) => Promise<unknown>> = {
  'owner by an operator': ({ app, acme, member }) => app.db.transaction((tx) => makeOwner(app, tx, acme.id, member.id)),
}
