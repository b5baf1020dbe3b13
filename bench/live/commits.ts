import { setTimeout as sleep } from 'node:timers/promises'
import { getTableName, sql } from 'drizzle-orm'
import { accounts, liveOutbox } from '../../drizzle/schema.ts'
import { accountChannel } from '../../features/accounts/channel.ts'
import { beforeCommit, connect, type Database, readAddress, type Tx } from '../../plugins/database/index.ts'
import { roomOf } from '../../plugins/live/channel.ts'
import { broadcast } from '../../plugins/live/index.ts'
import { start } from '../lib/children.ts'
import type { Row } from '../lib/table.ts'
import type { Listeners } from './listeners.ts'

const writers = 8
const pool = 14 // two of them only look people up, and a quarter of the others only reads
const listeners = 50
const rounds = 30
const settling = 3
const seconds = 0.5 // in turns, because no machine and no disk is equally fast for long
const pause = 150 // milliseconds, until the last messages have been sent

type Announce = (tx: Tx, accountId: number) => Promise<unknown>

const kinds = {
  silent: async () => undefined,
  /** What a message costs its transaction, before anyone sends it. */
  stored: async (tx: Tx, id: number) =>
    beforeCommit(tx, () => ({ text: `insert into ${outbox} (payload) values ($1)`, parameters: [lineTo(id)] })),
  ours: (tx: Tx, id: number) => broadcast(tx, accountChannel, id, { type: 'account' }),
  /** Without the relay: a notification holds a lock on the whole cluster while it commits. */
  notifying: (tx: Tx, id: number) => tx.execute(sql`select pg_notify('live', ${lineTo(id)})`),
} satisfies Record<string, Announce>
type Kind = keyof typeof kinds

const outbox = getTableName(liveOutbox)
const lineTo = (id: number) =>
  JSON.stringify({ kind: 'message', room: roomOf(accountChannel, id), message: { type: 'account' }, tab_id: null })

/**
 * Commits per second that change an account and broadcast, while 50 processes listen, compared with commits that do not
 * broadcast.
 */
export async function benchCommits(databaseUrl: string): Promise<Row[]> {
  const audience = start('live/listeners.ts')
  const db = connect(readAddress(databaseUrl, { variable: 'DATABASE_URL' }), pool)
  try {
    await audience.request({ url: databaseUrl, count: listeners } satisfies Listeners)
    const rows = await db
      .insert(accounts)
      .values(Array.from({ length: writers }, (_, n) => ({ name: 'Acme', slug: `bench-${process.pid}-${n}` })))
      .returning({ id: accounts.id })
    const rates = await inTurns(
      db,
      rows.map(({ id }) => id),
    )
    const share = (kind: Kind) => rates[kind] / rates.silent
    const row = (what: string, kind: Kind, more = ''): Row => ({
      what,
      target: '≥ 0.90',
      aim: '',
      result: `${share(kind).toFixed(2)} (${Math.round(rates[kind])} of ${Math.round(rates.silent)} a second${more})`,
      met: share(kind) >= 0.9,
    })
    const without = `; with NOTIFY in the transaction ${share('notifying').toFixed(2)}`
    return [
      row(`commits with a message, ${writers} writers and ${listeners} listeners, of as many without`, 'ours', without),
      row('the same, before the messages are sent to the listeners on the same cores', 'stored'),
    ]
  } finally {
    await db.$client.end()
    await audience.stop()
  }
}

/** Commits a second of each kind. */
async function inTurns(db: Database, ids: number[]) {
  const names = Object.keys(kinds) as Kind[]
  const sums = Object.fromEntries(names.map((name) => [name, 0])) as Record<Kind, number>
  for (let round = -settling; round < rounds; round++) {
    for (const name of names) {
      const rate = await commit(db, ids, kinds[name])
      if (round >= 0) sums[name] += rate / rounds
      await sleep(pause)
      if (name === 'stored') await db.execute(sql`truncate ${liveOutbox}`)
    }
  }
  return sums
}

/** Each writer keeps changing an account of its own. */
async function commit(db: Database, ids: number[], announce: Announce) {
  const until = performance.now() + seconds * 1000
  let count = 0
  const write = async (id: number) => {
    while (performance.now() < until) {
      await db.transaction(async (tx) => {
        await tx.execute(sql`select from ${accounts} where id = ${id} for no key update`)
        await Promise.all([
          tx.execute(sql`update ${accounts} set name = ${`Acme ${count}`} where id = ${id}`),
          announce(tx, id),
        ])
      })
      count++
    }
  }
  await Promise.all(ids.map(write))
  return count / seconds
}
