import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import t from 'tap'
import { RequirementUnmet } from '../../features/accounts/access.ts'
import { type ActivityType, typesWhere } from '../../features/activity/activities.ts'
import { addRecordHandler, type RecordedActivity } from '../../features/activity/index.ts'
import { SignedOut } from '../../plugins/security/session-transaction.ts'
import { startApp } from '../helpers/app.ts'
import { createDatabase } from '../helpers/database.ts'
import { releaseFromLockOrder } from '../helpers/lock-order.ts'
import { operatorOf } from '../helpers/postgres.ts'
import { createWorld, type Standing, type World, writers } from './writers.ts'

/** Of two writers: the first statements of their transactions are sent once both have come to them. */
class Meeting {
  #both = Promise.withResolvers<void>()
  #arrived = 0
  arrive() {
    this.#arrived++
    if (this.#arrived >= 2) this.#both.resolve()
    return this.#both.promise
  }
}

type Running = { meeting: Meeting; hasArrived: boolean }
const running = new AsyncLocalStorage<Running>()

/** Slows the statements of transactions down, so that two of them meet everywhere. */
function stumble() {
  const { query } = pg.Client.prototype as unknown as { query: (...sent: unknown[]) => unknown }
  const original = query
  async function slow(client: pg.Client, sent: unknown[], store: Running) {
    if (!store.hasArrived) {
      store.hasArrived = true
      await store.meeting.arrive()
    }
    await sleep(Math.random() * 3)
    return Reflect.apply(original, client, sent)
  }
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...sent: unknown[]) {
      const store = running.getStore()
      const takesCallback = sent.some((each) => typeof each === 'function')
      return store && !takesCallback ? slow(this, sent, store) : Reflect.apply(original, this, sent)
    },
  })
  return () => Object.assign(pg.Client.prototype, { query: original })
}

const isRefusal = (error: unknown) =>
  error instanceof SignedOut ||
  error instanceof RequirementUnmet ||
  Number((error as { statusCode?: number }).statusCode ?? 500) < 500

/** What a pair of writers ran into that is no refusal. */
async function collide(world: World, names: string[]) {
  const meeting = new Meeting()
  const outcomes = await Promise.allSettled(
    names.map((name) =>
      running.run({ meeting, hasArrived: false }, async () => {
        try {
          await writers[name]?.(world)
        } finally {
          meeting.arrive() // a writer without a transaction meets nobody
        }
      }),
    ),
  )
  return outcomes.flatMap((outcome, at) =>
    outcome.status === 'rejected' && !isRefusal(outcome.reason) ? [[names[at], outcome.reason]] : [],
  )
}

/** What is recorded in a workspace that its transaction has not locked. Who reads on by ids may miss it. */
function watchRecords({ db }: FastifyInstance) {
  const unlocked: string[] = []
  const types = typesWhere(() => true) as ActivityType[]
  addRecordHandler(db.pool, types, async (_tx, { type, accountId }: RecordedActivity) => {
    const free = sql`select from accounts where id = ${accountId} for no key update skip locked`
    if ((await db.execute(free)).rows.length > 0) unlocked.push(type)
  })
  return unlocked
}

const names = Object.keys(writers)
const pairs = names.flatMap((one, at) => names.slice(at).map((other) => [one, other]))
const atOnce = 10

/** What the writers need of the member's address, or else they would only be refused. */
function standingFor(pair: string[]): Standing {
  if (pair.includes('undo of an email change')) return 'changed'
  return pair.some((name) => ['claim', 'not mine', 'verification'].includes(name)) ? 'never verified' : 'verified'
}

t.test('no two writers wait for each other, whatever they do to a workspace and its members', async (t) => {
  const url = await createDatabase(t)
  const database = new URL(url).pathname.slice(1)
  const operator = operatorOf(t, url)
  await operator.unsafe(`alter database "${database}" set deadlock_timeout = '10ms'`)
  const { app } = await startApp(t, { DATABASE_URL: url, DATABASE_POOL: String(4 * atOnce) })
  await app.ready()
  const unlocked = watchRecords(app)
  for (const name of names) {
    const world = await createWorld(app, standingFor([name]))
    await t.resolves(async () => writers[name]?.(world), `${name} alone is not refused`)
    t.same(unlocked.splice(0), [], `${name} records under the lock of the workspace`)
  }
  t.teardown(stumble())
  t.teardown(releaseFromLockOrder())

  const left = [...pairs]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let pair = left.pop(); pair; pair = left.pop()) {
        const standing = standingFor(pair)
        const failures = await collide(await createWorld(app, standing), pair)
        t.same(failures, [], `${pair.join(' and ')} of somebody ${standing}`)
      }
    }),
  )
  await app.close()
  const [{ deadlocks } = {}] = await operator`select deadlocks from pg_stat_database where datname = current_database()`
  t.equal(Number(deadlocks), 0, 'also none that was tried again')
})
