import { setTimeout as sleep } from 'node:timers/promises'
import { cloneProject } from '../../test/helpers/clone.ts'
import { savesOf } from '../../test/helpers/saves.ts'

// `npm run saves`: changes the sources of a fresh clone under `npm run dev` in all ways for ten minutes, and prints how
// long it took each time until the newest code was served.

const { SAVES = '200', SECONDS = '600' } = process.env
const pause = (Number(SECONDS) / Number(SAVES)) * 1000

const teardowns: (() => unknown)[] = []
const took = new Map<string, number[]>()
let done = 0

try {
  const clone = await cloneProject({ teardown: (stop: () => unknown) => teardowns.unshift(stop) })
  const run = await clone.start('dev')
  await run.until('/up', (text) => text.includes('Up'))
  const saves = await savesOf(clone, run, (kind, ms) => {
    took.set(kind, [...(took.get(kind) ?? []), ms])
    done++
  })
  const restarts = () => run.output.text.match(/the server restarts/g)?.length ?? 0
  const before = restarts()
  const order = ['inPlace', 'replaced', 'restored', 'switched', 'broken', 'replaced', 'inPlace', 'migration'] as const
  const end = performance.now() + Number(SECONDS) * 1000
  for (let round = 0; done < Number(SAVES) && performance.now() < end; round++) {
    const start = performance.now()
    await saves[order[round % order.length] ?? 'inPlace'](`mark_${round}`)
    await sleep(Math.max(0, pause - (performance.now() - start)))
  }
  console.table(Object.fromEntries([...took].map(([kind, all]) => [kind, summaryOf(all)])))
  console.log(`${done} saves, ${restarts() - before} restarts`)
} finally {
  for (const stop of teardowns) await stop()
}

function summaryOf(all: number[]) {
  const sorted = all.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
  return { saves: all.length, 'median ms': at(0.5), 'p95 ms': at(0.95), 'most ms': at(1), late: late(all) }
}

function late(all: number[]) {
  return all.filter((ms) => ms > 2_000).length
}
