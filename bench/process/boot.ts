import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMemory } from '../lib/children.ts'
import { median } from '../lib/load.ts'
import { startApplication } from '../lib/processes.ts'
import { limitRow, type Row } from '../lib/table.ts'

/** Time from process start to the first response, with an up-to-date database, and memory after that. */
export async function benchBoot(databaseUrl: string): Promise<Row[]> {
  const plain = await boots(databaseUrl, {})
  // the image has a compile cache
  const folder = await mkdtemp(join(tmpdir(), 'compile-cache-'))
  const cache = { NODE_COMPILE_CACHE: folder }
  await boots(databaseUrl, cache, 1)
  const compiled = await boots(databaseUrl, cache)
  await rm(folder, { recursive: true })

  const time = { unit: 'ms', target: 1000, aim: 500 }
  const memory = { unit: 'MiB', target: 150, aim: 120 }
  return [
    limitRow('boot to the first 200', plain.ms, time),
    limitRow('boot to the first 200, code compiled before, as in the image', compiled.ms, time),
    limitRow('resident memory after boot', plain.MiB, memory),
    limitRow('resident memory after boot, as in the image', compiled.MiB, memory),
  ]
}

async function boots(databaseUrl: string, environment: Record<string, string>, times = 5) {
  const all: { ms: number; MiB: number }[] = []
  for (let i = 0; i < times; i++) {
    const { startedIn, pid, stop } = await startApplication(databaseUrl, environment)
    await sleep(1000)
    all.push({ ms: startedIn, MiB: (await residentMemory(pid)) / 1024 ** 2 })
    await stop()
  }
  return { ms: median(all.map(({ ms }) => ms)), MiB: median(all.map(({ MiB }) => MiB)) }
}
