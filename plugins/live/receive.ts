import { eq } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { liveMessages } from '../../drizzle/schema.ts'
import type { Database } from '../database/index.ts'
import type { Event, Notification } from './broadcast.ts'
import { bus } from './relay.ts'

type App = { db: Database; log: FastifyBaseLogger }
type Receiver = { act: (event: Event) => unknown; onGap: () => void }

/**
 * Listens on the only connection of this process, which postgres.js opens again when it is lost. Resolves once it
 * listens. Events are acted on in sequence, so that later ones do not overtake one that has to be fetched. `onGap` is
 * called when some may be missing.
 */
export function receive({ db, log }: App, { act, onGap }: Receiver) {
  let handled: Promise<unknown> = Promise.resolve()
  const handle = async (notification: Notification) => {
    if (notification.kind !== 'stored') return act(notification)
    const [stored] = await db.select().from(liveMessages).where(eq(liveMessages.id, notification.id))
    if (!stored) throw new Error('a stored message is gone')
    return act(JSON.parse(stored.payload))
  }
  const onPayload = (payload: string) => {
    handled = handled
      .then(async () => {
        for (const line of payload.split('\n')) await handle(JSON.parse(line))
      })
      .catch((err) => {
        log.error({ err }, 'a live event was lost')
        onGap()
      })
  }

  return new Promise<void>((resolve) => {
    let isFirst = true
    const onListening = () => {
      if (!isFirst) onGap()
      isFirst = false
      resolve()
    }
    db.$client.listen(bus, onPayload, onListening).catch((err) => {
      log.warn({ err }, 'live updates wait for the database')
    })
  })
}
