import { median } from '../lib/load.ts'
import { limitRow, type Row } from '../lib/table.ts'
import type { Answer, Request } from './clients.ts'
import { everybody, people, thousand } from './seed.ts'
import { besideBare, type Stage } from './stage.ts'

const rounds = 11

/** Time from the start of a broadcast's transaction until the last subscriber has read it. */
export async function deliveryRows({ ours, theirs }: Stage): Promise<Row[]> {
  const rows: Row[] = []
  for (const { slug, subscribers, target } of [
    { slug: thousand, subscribers: 1000, target: 100 },
    { slug: everybody, subscribers: people, target: 1000 },
  ]) {
    const times = { ours: [] as number[], theirs: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      times.ours.push(await deliveryTime(ours, slug, subscribers))
      times.theirs.push(await deliveryTime(theirs, slug, subscribers))
    }
    const limit = { unit: 'ms', target }
    const what = `a broadcast until the last of ${subscribers} has it, of ${people} streams`
    rows.push(besideBare(limitRow(what, median(times.ours), limit), median(times.theirs), limit))
  }
  return rows
}

async function deliveryTime({ clients, announce }: Stage['ours' | 'theirs'], slug: string, subscribers: number) {
  await clients.request({ kind: 'count', messages: subscribers } satisfies Request)
  const counted: Promise<Answer> = clients.answer()
  const start = performance.timeOrigin + performance.now()
  await announce(slug)
  return (await counted).at - start
}
