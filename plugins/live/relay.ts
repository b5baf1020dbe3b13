import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { liveOutbox } from '../../drizzle/schema.ts'
import type { Database } from '../database/index.ts'
import { outside } from './outside.ts'

type Db = Pick<Database, 'execute'>

/** The notification channel in Postgres. */
export const bus = 'live'

/** Longest event in bytes: two of them, with an id each, must fit into the 8,000 bytes of a notification. */
export const longest = 3_900

/**
 * Notifies all processes of what committed transactions have stored: commits in order, and messages of a batch in the
 * order they were stored, many lines per notification. Identical messages of one transaction are sent once.
 *
 * A transaction that notifies holds a lock on the whole cluster while it commits. Users' transactions therefore only
 * store, and a single statement notifies for all of them. Concurrent calls wait for each other. The ids keep identical
 * lines distinct, because Postgres drops duplicates.
 */
export const notify = (db: Db) =>
  db.execute(sql`
    with said as (
      delete from ${liveOutbox} returning id, payload, xmin::text as said_in
    ), news as (
      select min(id) as id, '{"id":' || min(id) || ',' || substr(payload, 2) as line from said group by said_in, payload
    ), numbered as (
      select id, line, sum(octet_length(line) + 1) over (order by id) / 4000 as part from news
    ), parts as (
      select string_agg(line, e'\\n' order by id) as lines from numbered group by part order by part
    )
    select count(pg_notify(${bus}, lines)) from parts`)

const shortestPause = 10 // milliseconds

/** Notifies at once, then at a limited rate that leaves the database time for other work. */
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
    this.#turn = this.#turn.then(() => outside(() => this.#run()))
  }

  async #run() {
    this.#isPlanned = false
    const start = performance.now()
    await notify(this.#db).catch(() => {}) // processes with streams retry every second, also for those that died
    const took = performance.now() - start
    await sleep(Math.max(shortestPause, 4 * took), undefined, { ref: false })
  }
}

const relays = new WeakMap<Db, Relay>()

/** The relay of a connection pool, so one per process. */
export function relayOf(db: Db) {
  const relay = relays.get(db) ?? new Relay(db)
  relays.set(db, relay)
  return relay
}
