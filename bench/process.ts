import { setTimeout as sleep } from 'node:timers/promises'
import type { Owner } from '../test/helpers/owner.ts'
import { median, type Row } from './load.ts'
import { residentMemory, startServer } from './server.ts'

/** From the start of the process to the first 200, with a database that is up to date. */
export async function benchBoot(owner: Owner, databaseUrl: string): Promise<Row[]> {
  await (await startServer(owner, databaseUrl)).stop() // compiles
  const boots: { ms: number; bytes: number }[] = []
  for (let n = 0; n < 5; n++) {
    const { startedInMs: ms, pid, stop } = await startServer(owner, databaseUrl)
    await sleep(1000)
    boots.push({ ms, bytes: await residentMemory(pid) })
    await stop()
  }
  return [
    ['boot to the first 200', '≤ 1200 ms', `${Math.round(median(boots.map(({ ms }) => ms)))} ms`],
    ['memory after boot', '≤ 170 MiB', inMiB(median(boots.map(({ bytes }) => bytes)))],
  ]
}

const inMiB = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`
