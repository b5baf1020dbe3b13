import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { liveOutbox } from '../../drizzle/schema.ts'
import type { Database } from '../database/index.ts'
import { detached } from './detached.ts'

type Db = Pick<Database, 'execute'>

/** The notification channel in Postgres. */
export const bus = 'live'

/** Longest event in bytes: two of them, with an id each, must fit into the 8,000 bytes of a notification. */
export const maxPayloadBytes = 3_900

/**
 * Notifies all processes of what committed transactions have stored: commits in order, and messages of a batch in the
 * order they were stored, many lines per notification. Returns the number of lines.
 *
 * A transaction that notifies holds a lock on the whole cluster while it commits. Users' transactions therefore only
 * store, and a single statement notifies for all of them. Concurrent calls wait for each other. The ids keep identical
 * lines distinct, because Postgres drops duplicates.
 */
export async function notify(db: Db) {
  const [said] = await db.execute<{ lines: number }>(sql`
    with said as (
      delete from ${liveOutbox} returning id, '{"id":' || id || ',' || substr(payload, 2) as line
    ), numbered as (
      select id, line, sum(octet_length(line) + 1) over (order by id) / 4000 as part from said
    ), parts as (
      select string_agg(line, e'\\n' order by id) as lines, count(*) as count from numbered group by part order by part
    )
    select coalesce(sum(count), 0)::int as lines, count(pg_notify(${bus}, lines)) from parts`)
  return said?.lines ?? 0
}

const minPauseMs = 10
const maxPauseMs = 100

/**
 * Notifies at once, then at a limited rate that leaves the database time for other work: each notification wakes every
 * process, so a busy relay collects more of them for the next one.
 */
class Relay {
  readonly #db: Db
  #isPlanned = false
  #turn: Promise<unknown> = Promise.resolve()

  constructor(db: Db) {
    this.#db = db
  }

  soon() {
    if (this.#isPlanned) return
    this.#isPlanned = true
    this.#turn = this.#turn.then(() => detached(() => this.#run()))
  }

  async #run() {
    this.#isPlanned = false
    const start = performance.now()
    const lines = await notify(this.#db).catch(() => 0) // processes with streams retry every second, also for the dead
    const took = performance.now() - start
    await sleep(Math.max(Math.min(minPauseMs + lines, maxPauseMs), 4 * took), undefined, { ref: false })
  }
}

const relays = new WeakMap<Db, Relay>()

/** The relay of a connection pool, so one per process. */
export function relayOf(db: Db) {
  const relay = relays.get(db) ?? new Relay(db)
  relays.set(db, relay)
  return relay
}
