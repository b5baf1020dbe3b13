import { start } from '../lib/children.ts'
import { median } from '../lib/load.ts'
import { limitRow, type Row } from '../lib/table.ts'
import type { Latency, Visits } from '../lib/visits.ts'
import { accounts, small } from './seed.ts'
import type { Stage } from './stage.ts'

const rounds = 5
const rate = 100 // broadcasts per second

/** How much slower pages are during many broadcasts, with all streams open in both cases. */
export async function visitsRow({ ours, browser }: Stage): Promise<Row> {
  const visitors = start('lib/visits.ts')
  const question = { url: `${ours.url}/${small(0)}`, cookie: browser(0).cookie, connections: 4, seconds: 3 }
  const measure = (): Promise<Latency> => visitors.request(question satisfies Visits)

  await measure()
  const pairs: { silent: number; beside: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const silent = await measure()
    const stop = broadcastSteadily(ours.announce)
    const beside = await measure()
    await stop()
    pairs.push({ silent: silent.p99, beside: beside.p99 })
  }
  await visitors.stop()

  const what = `p99 of GET /{slug} at ${rate} broadcasts a second, of that without`
  const row = limitRow(what, median(pairs.map(({ silent, beside }) => beside / silent)), {
    unit: '×',
    target: 2,
    digits: 2,
  })
  const [silent, beside] = [median(pairs.map((pair) => pair.silent)), median(pairs.map((pair) => pair.beside))]
  return { ...row, result: `${row.result} (${beside.toFixed(1)} of ${silent.toFixed(1)} ms)` }
}

/** To one account after another, without waiting for the previous broadcast. */
function broadcastSteadily(announce: (slug: string) => Promise<unknown>) {
  const begun: Promise<unknown>[] = []
  const start = performance.now()
  const timer = setInterval(() => {
    const due = ((performance.now() - start) / 1000) * rate
    while (begun.length < due) begun.push(announce(small(begun.length % accounts)))
  }, 1000 / rate)
  return () => {
    clearInterval(timer)
    return Promise.all(begun)
  }
}
