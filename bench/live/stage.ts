import { sql } from 'drizzle-orm'
import { accountChannel } from '../../features/accounts/channel.ts'
import { paths } from '../../features/paths.ts'
import { connect, readAddress } from '../../plugins/database/index.ts'
import { broadcast } from '../../plugins/live/index.ts'
import { processorTime, residentMemory, start } from '../lib/children.ts'
import { startApplication } from '../lib/processes.ts'
import type { Row } from '../lib/table.ts'
import type { Request, Streams } from './clients.ts'
import { bareBrowser, browserOf, people, seed } from './seed.ts'

export type Stage = Awaited<ReturnType<typeof startStage>>

export const identifierOf = (slug: string) => JSON.stringify({ account: slug, channel: accountChannel.name })

/** The application and a bare server, each with a process full of clients, and 9,000 signed-in people. */
export async function startStage(databaseUrl: string) {
  const secretKeyBase = 'what signs the cookies of people who never signed in has to be known here'
  const application = await startApplication(databaseUrl, { SECRET_KEY_BASE: secretKeyBase })
  const ceiling = start('live/ceiling.ts')
  const { port } = await ceiling.answer()
  const db = connect(readAddress(databaseUrl, { variable: 'DATABASE_URL' }), 4)
  const ids = await seed(db)
  const browser = (person: number) => browserOf(person, secretKeyBase)

  const announce = (slug: string) =>
    db.transaction((tx) => broadcast(tx, accountChannel, ids.get(slug) ?? 0, { type: 'members' }))
  const ours = { ...application, clients: start('live/clients.ts'), announce }
  const theirs = {
    url: `http://127.0.0.1:${port}`,
    pid: ceiling.pid,
    clients: start('live/clients.ts'),
    announce: async (slug: string) => ceiling.send(identifierOf(slug)),
  }

  /** Postgres processes that serve the application, which must run on this machine. */
  async function backends() {
    const rows = await db.execute<{ pid: number }>(sql`
      select pid from pg_stat_activity where datname = current_database() and application_name like 'accounts%'`)
    return rows.map(({ pid }) => pid)
  }

  return {
    ours,
    theirs,
    databaseUrl,
    browser,
    bareBrowser,
    costOf,
    async costs() {
      const database = await Promise.all((await backends()).map(processorTime))
      return { ours: await costOf(ours.pid, database), theirs: await costOf(theirs.pid) }
    },
    /** Opens a stream per person on both sides, subscribed to these accounts. */
    async open(slugsOf: (person: number) => string[]) {
      const streams: Streams = Array.from({ length: people }, (_, person) => {
        const slugs = slugsOf(person)
        const path = paths.live(slugs.map(identifierOf)).url
        return { path, cookie: browser(person).cookie, subscriptions: slugs.length }
      })
      for (const { clients, url } of [ours, theirs])
        await clients.request({ kind: 'open', url, streams } satisfies Request)
    },
    async close() {
      for (const { clients } of [ours, theirs]) await clients.request({ kind: 'close' } satisfies Request)
    },
    async stop() {
      await Promise.all([ours.clients.stop(), theirs.clients.stop()])
      await Promise.all([application.stop(), ceiling.stop(), db.$client.end()])
    },
  }
}

/** Adds the bare server's result to a row. */
export const besideBare = (row: Row, theirs: number, { unit, digits = 0 }: { unit: string; digits?: number }): Row => ({
  ...row,
  result: `${row.result} (bare Node: ${theirs.toFixed(digits)} ${unit})`,
})

/** So far. Processor time is in seconds. */
const costOf = async (pid: number | undefined, database: number[] = []) => ({
  at: performance.now(),
  bytes: await residentMemory(pid),
  server: await processorTime(pid),
  database: database.reduce((total, value) => total + value, 0),
})

type CostSoFar = Awaited<ReturnType<typeof costOf>>
/** Shares of a core in as many seconds. */
export type Costs = { server: number; database: number; seconds: number }

export function costsSince(from: CostSoFar, to: CostSoFar): Costs {
  const seconds = (to.at - from.at) / 1000
  const share = (of: 'server' | 'database') => (to[of] - from[of]) / seconds
  return { server: share('server'), database: share('database'), seconds }
}
