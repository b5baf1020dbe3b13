import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMemory } from '../lib/children.ts'
import { throughput } from '../lib/load.ts'
import { startApplication } from '../lib/processes.ts'
import { limitRow, type Row } from '../lib/table.ts'
import { type Person, signUp } from '../lib/visitor.ts'

const rounds = 5
const calm = 25_000 // milliseconds, in which a process notices that the load is over

/** Memory after HTML pages under load, with and without server rendering, and that of a supervisor. */
export async function benchMemory(databaseUrl: string): Promise<Row[]> {
  const rows: Row[] = []
  const folder = await mkdtemp(join(tmpdir(), 'compiled-'))
  const compiled = { NODE_COMPILE_CACHE: folder } // as in the image
  await (await startApplication(databaseUrl, { ...compiled, WEB_CONCURRENCY: '2' })).stop()
  for (const [what, environment, target] of [
    ['SSR off', {}, 250],
    ['SSR on', { SSR_ENABLED: 'true' }, 350],
    ['the supervisor of two processes', { WEB_CONCURRENCY: '2' }, 60],
  ] as const) {
    const application = await startApplication(databaseUrl, { ...compiled, ...environment })
    const memory = async () => (await residentMemory(application.pid)) / 2 ** 20
    try {
      await sleep(1_000)
      const before = await memory()
      const person = await signUp(application.url, `memory-${target}@example.com`)
      let most = 0
      for (let round = 0; round < rounds; round++) {
        await throughput(pageOf(application.url, person))
        most = Math.max(most, await memory())
      }
      await sleep(calm)
      const row = limitRow(`memory after load, ${what}`, await memory(), { unit: 'MiB', target })
      rows.push({ ...row, result: `${row.result} (${Math.round(before)} before, ${Math.round(most)} under load)` })
    } finally {
      await application.stop()
    }
  }
  await rm(folder, { recursive: true })
  return rows
}

const pageOf = (url: string, { slug, cookie }: Person) => ({
  url: `${url}/${slug}`,
  headers: { cookie, accept: 'text/html' },
  status: 200,
})
