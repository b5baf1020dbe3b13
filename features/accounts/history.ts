import type { Tx } from '../../plugins/database/index.ts'
import { broadcast } from '../../plugins/live/index.ts'
import type { Activities } from '../activity/activities.ts'
import { record } from '../activity/index.ts'
import { accountChannel } from './channel.ts'

type Here = {
  [Type in keyof Activities]: Activities[Type] extends { accountId: number } ? Type : never
}[keyof Activities]

/** Like `record`, and also notifies everyone who is watching the account's activity. */
export const recordIn = <Type extends Here>(tx: Tx, type: Type, about: Activities[Type]) =>
  Promise.all([record(tx, type, about), announceActivity(tx, about.accountId)])

export const announceActivity = (tx: Tx, accountId: number) =>
  broadcast(tx, accountChannel, accountId, { type: 'activity' })
