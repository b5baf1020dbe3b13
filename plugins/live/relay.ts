import { eq, getTableName, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { liveMessages, liveOutbox } from '../../drizzle/schema.ts'
import { afterCommit, beforeCommit, type Database, type Tx } from '../database/index.ts'
import { batched } from './batched.ts'
import type { Room } from './channel.ts'

/** Events between processes. */
export type Event =
  | { kind: 'message'; room: Room; message: unknown; tab_id: string | null }
  | { kind: 'presence'; room: Room; tab_id: string | null }
  | { kind: 'recheck'; user: number }
  | { kind: 'recheck'; room: Room }

type Db = Pick<Database, 'execute'>

/** The notification channel in Postgres. */
const bus = 'live'
// A notification takes 8,000 bytes, and an id is added to each event. Longer ones are stored in a table.
const maxBytes = 7_900
const pauseMs = 50

const outboxes = new WeakMap<Tx, Set<string>>()

/**
 * Stores an event that is sent after the commit. All events of a transaction are stored by one statement in the message
 * of the COMMIT, so that it costs hardly more than a transaction without any. Identical events are sent once.
 */
export async function publish(tx: Tx, event: Event) {
  const events = outboxes.get(tx) ?? openOutbox(tx)
  events.add(JSON.stringify(event))
}

function openOutbox(tx: Tx) {
  const events = new Set<string>()
  outboxes.set(tx, events)
  beforeCommit(tx, () => {
    outboxes.delete(tx)
    const text = `insert into ${getTableName(liveOutbox)} (payload) select json_array_elements_text($1::json)`
    return { text, parameters: [JSON.stringify([...events])] }
  })
  afterCommit(tx, notifySoon)
  return events
}

/**
 * Notifies all processes of the events that committed transactions have stored, in the order of the commits.
 *
 * A transaction that notifies holds a lock on the whole cluster while it commits. Users' transactions therefore only
 * store, and a single statement notifies for all of them. Concurrent calls wait for each other. The ids keep identical
 * events distinct, because Postgres drops duplicates.
 */
export const notify = (db: Db) =>
  db.execute(sql`
    with taken as (
      delete from ${liveOutbox} returning id, payload, octet_length(payload) > ${maxBytes} as is_long
    ), stored as (
      insert into ${liveMessages} (id, payload) overriding system value select id, payload from taken where is_long
      on conflict (id) do update set payload = excluded.payload
    )
    select count(pg_notify(${bus}, case
      when is_long then '{"kind":"stored","id":' || id || '}' else '{"id":' || id || ',' || substr(payload, 2)
    end)) from (select * from taken order by id) taken`)

const relays = new WeakMap<Db, () => Promise<unknown>>()

/** Notifies at once, but then pauses: each notification wakes every process, so many events share one. */
export function notifySoon(db: Db) {
  const relay = relays.get(db) ?? batched<void, unknown>(() => notify(db), pauseMs)
  relays.set(db, relay)
  relay().catch(() => {}) // processes with streams retry every second, also for the dead
}

type App = { db: Database; log: FastifyBaseLogger }
type Receiver = { act(event: Event): unknown; onGap(): void }

/**
 * Listens on the only connection of this process, which postgres.js opens again when it is lost. Resolves once it
 * listens. Events are acted on in sequence, so that later ones do not overtake one that has to be fetched. `onGap` is
 * called when some may be missing.
 */
export function receive({ db, log }: App, { act, onGap }: Receiver) {
  let handled: Promise<unknown> = Promise.resolve()
  const onPayload = (payload: string) => {
    handled = handled
      .then(async () => act(await read(db, payload)))
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

async function read(db: Database, payload: string): Promise<Event> {
  const event: Event | { kind: 'stored'; id: number } = JSON.parse(payload)
  if (event.kind !== 'stored') return event
  const [stored] = await db.select().from(liveMessages).where(eq(liveMessages.id, event.id))
  if (!stored) throw new Error('a stored message is gone')
  return JSON.parse(stored.payload)
}
