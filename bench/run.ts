import { parseArgs } from 'node:util'
import { buildWhatIsStale } from '../development/build.ts'
import { benchMails } from './database/mails.ts'
import { benchRoundTrips } from './database/round-trips.ts'
import { benchScale } from './database/scale.ts'
import { benchSweep } from './database/sweep.ts'
import { startDatabase } from './lib/database.ts'
import { writeDocs } from './lib/docs.ts'
import { startApplication } from './lib/processes.ts'
import { printTable, type Row } from './lib/table.ts'
import { benchCommits } from './live/commits.ts'
import { benchHeartbeats, benchLive } from './live/index.ts'
import { benchOnlyOneConnection, benchOnlySignIn, benchPages } from './pages/index.ts'
import { benchBoot } from './process/boot.ts'
import { benchLog } from './process/log.ts'
import { benchMemory } from './process/memory.ts'
import { benchOverload } from './process/overload.ts'

// `npm run bench`: what the application costs, compared with minimal Fastify routes that do the same work. With
// `-- --only commits,heartbeats`, only these parts. With `-- --scale` instead: what it costs with a million users,
// compared with a thousand. With `-- --docs` too, the table becomes that of docs/speed.md.

const parts: Record<string, (databaseUrl: string) => Promise<Row[]>> = {
  pages: benchPages,
  'round-trips': benchRoundTrips,
  sweep: benchSweep,
  mails: benchMails,
  boot: benchBoot,
  memory: benchMemory,
  log: benchLog,
  overload: benchOverload,
  commits: benchCommits,
  live: benchLive,
}
const partsOfParts: typeof parts = {
  heartbeats: benchHeartbeats,
  'one-connection': benchOnlyOneConnection,
  'sign-in': benchOnlySignIn,
}

const { values: asked } = parseArgs({
  options: { only: { type: 'string' }, scale: { type: 'boolean' }, docs: { type: 'boolean' } },
})
if (asked.only && asked.docs) throw new Error('the table of docs/speed.md is that of all parts')
const chosen = asked.scale ? [benchScale] : asked.only ? asked.only.split(',').map(partOf) : Object.values(parts)

const rows: Row[] = []
await buildWhatIsStale()
const database = await startDatabase()
try {
  await (await startApplication(database.url)).stop() // which migrates
  for (const part of chosen) rows.push(...(await part(database.url)))
} finally {
  await database.stop()
  printTable(rows) // also if a later part failed: the others took minutes
}
if (asked.docs) await writeDocs(asked.scale ? 'npm run bench -- --scale' : 'npm run bench', rows)

function partOf(name: string) {
  const all = { ...parts, ...partsOfParts }
  const part = all[name]
  if (!part) throw new Error(`there is no part ${name}, only ${Object.keys(all).join(', ')}`)
  return part
}
