import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { buildWhatIsStale } from '../development/build.ts'
import { startOwnPostgres } from '../test/helpers/postgres.ts'
import type { Row } from './load.ts'
import { benchPages, benchSignIn } from './pages.ts'
import { benchBoot } from './process.ts'
import { printTable, withOwner } from './server.ts'
import { benchStreams } from './streams.ts'
import { benchWebhooks } from './webhooks.ts'

// `npm run bench`: what the application costs, beside bare Fastify routes that do the same work. Takes about six
// minutes. `-- --only pages,streams` runs only these parts.

const parts = Object.entries({
  pages: benchPages,
  'sign-in': benchSignIn,
  boot: benchBoot,
  streams: benchStreams,
  webhooks: benchWebhooks,
})
const { values } = parseArgs({ options: { only: { type: 'string' } } })
const chosen = parts.filter(([name]) => !values.only || values.only.split(',').includes(name))

const rows: Row[] = []
const load = loadavg()[0]?.toFixed(1)
await buildWhatIsStale()
await withOwner(async (owner) => {
  const { url } = await startOwnPostgres(owner)
  for (const [, measure] of chosen) await withOwner(async (own) => void rows.push(...(await measure(own, url))))
}).finally(() => {
  const [cpu] = cpus()
  console.log(`${cpus().length} cores of ${cpu?.model.trim()}, load before ${load}, Node ${process.versions.node}\n`)
  printTable(['What', 'Target', 'Result'], rows) // also if a later part failed: the others took minutes
})
