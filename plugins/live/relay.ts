import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { liveOutbox } from '../../drizzle/schema.ts'
import type { Database } from '../database/index.ts'
import { outside } from './outside.ts'

type Db = Pick<Database, 'execute'>

/** The notification channel in Postgres. */
export const bus = 'live'

/** What can be told in one notification, in bytes: two of these have to fit into the 8,000 that Postgres takes, with an id in front. */
export const longest = 3_900

/**
 * Tells all processes what was said in transactions that have committed, in the order of the commits; what committed since the last time is told in the
 * order in which it was said, many lines to a notification. Twice the same of one transaction is told once.
 *
 * A notification holds a lock of the whole cluster while it commits, so people's transactions must not notify: they store, and one statement notifies for
 * all of them. Of two at the same time one waits until the other has told. Ids set apart what only looks the same, which Postgres would notify once.
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

/** Tells at once, and then no more often than it is any use, or than the database can do beside its work. */
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
    await notify(this.#db).catch(() => {}) // whoever listens asks every second, also for those who cannot any more
    const took = performance.now() - start
    await sleep(Math.max(shortestPause, 4 * took), undefined, { ref: false })
  }
}

const relays = new WeakMap<Db, Relay>()

/** That of a pool of connections, which is that of a process. */
export function relayOf(db: Db) {
  const relay = relays.get(db) ?? new Relay(db)
  relays.set(db, relay)
  return relay
}
