import { sql } from 'drizzle-orm'
import { accounts } from '../drizzle/schema.ts'
import { announceAccount } from '../features/accounts/channel.ts'
import { connect, type Database, readAddress, type Tx } from '../plugins/database/index.ts'
import { start } from './children.ts'
import type { Listeners } from './live-listeners.ts'
import { median } from './load.ts'
import type { Row } from './table.ts'

const writers = 8
const listeners = 50
const rounds = 7
const seconds = 2

type Announce = (tx: Tx, accountId: number) => Promise<unknown>

const ways = {
  silent: async () => undefined,
  /** Without the relay: a notification holds a lock on the whole cluster while it commits. */
  notifying: (tx: Tx, id: number) => tx.execute(sql`select pg_notify('live', ${`{"id":${id}}`})`),
  ours: announceAccount,
} satisfies Record<string, Announce>

/**
 * Commits per second that change an account and broadcast, while 50 processes listen, compared with commits that do not
 * broadcast.
 */
export async function benchCommits(databaseUrl: string): Promise<Row[]> {
  const audience = start('live-listeners.ts')
  const db = connect(readAddress(databaseUrl, { variable: 'DATABASE_URL' }), writers)
  try {
    await audience.ask({ url: databaseUrl, count: listeners } satisfies Listeners)
    const rows = await db
      .insert(accounts)
      .values(Array.from({ length: writers }, (_, n) => ({ name: 'Acme', slug: `bench-${process.pid}-${n}` })))
      .returning({ id: accounts.id })
    const ids = rows.map(({ id }) => id)
    const rates = { silent: [] as number[], notifying: [] as number[], ours: [] as number[] }
    for (let round = 0; round <= rounds; round++) {
      for (const [name, announce] of Object.entries(ways)) {
        const rate = await commit(db, ids, announce)
        if (round > 0) rates[name as keyof typeof rates].push(rate)
      }
    }
    const share = (of: number[]) => median(of.map((rate, round) => rate / (rates.silent[round] ?? 0)))
    const result = share(rates.ours)
    const a = `${Math.round(median(rates.ours))} of ${Math.round(median(rates.silent))} a second`
    const without = `; with NOTIFY in the transaction ${share(rates.notifying).toFixed(2)}`
    return [
      {
        what: `commits with a message, ${writers} writers and ${listeners} listeners, of as many without`,
        target: '≥ 0.90',
        aim: '',
        result: `${result.toFixed(2)} (${a}${without})`,
        met: result >= 0.9,
      },
    ]
  } finally {
    await db.$client.end()
    await audience.stop()
  }
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
