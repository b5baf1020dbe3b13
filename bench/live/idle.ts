import { setTimeout as sleep } from 'node:timers/promises'
import { limitRow, type Row } from '../lib/table.ts'
import { accounts, people, small } from './seed.ts'
import { besideBare, type Costs, costsSince, type Stage } from './stage.ts'

const settling = 5_000 // milliseconds
const every = 15_000 // milliseconds
const idling = 2 * every + 1_000 // at least two rounds of keep-alives and checks

export type Idle = { rows: Row[]; ours: Costs }

/** The cost of idle streams. Leaves them open. */
export async function idleRows(stage: Stage): Promise<Idle> {
  await sleep(settling)
  const empty = await stage.costs()
  await stage.open((person) => [small(person)])
  await sleep(settling)
  const opened = await stage.costs()
  await sleep(idling)
  const idle = await stage.costs()

  const kB = (side: 'ours' | 'theirs') => (idle[side].bytes - empty[side].bytes) / people / 1000
  const ours = costsSince(opened.ours, idle.ours)
  const theirs = costsSince(opened.theirs, idle.theirs)
  const memory = { unit: 'kB', target: 25, digits: 1 }
  const processor = { unit: '% of a core', target: 10, digits: 1 }
  const rows = [
    besideBare(
      limitRow(`memory of each of ${people} streams over ${accounts} accounts`, kB('ours'), memory),
      kB('theirs'),
      memory,
    ),
    besideBare(
      limitRow(`${people} idle streams, signs of life and checks included`, ours.server * 100, processor),
      theirs.server * 100,
      processor,
    ),
  ]
  return { rows, ours }
}
