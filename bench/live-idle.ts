import { setTimeout as sleep } from 'node:timers/promises'
import { paths } from '../features/paths.ts'
import { processorTime, residentMemory, start } from './children.ts'
import type { Beats } from './live-beats.ts'
import { accounts, people, small } from './live-seed.ts'
import { besideBare, identifierOf, type Stage } from './live-stage.ts'
import { limitRow, type Row } from './table.ts'

const settling = 5_000 // milliseconds
const every = 15_000 // milliseconds
const idling = 2 * every + 1_000 // at least two rounds of keep-alives and checks

/** The cost of idle streams. Leaves them open. */
export async function idleRows(stage: Stage): Promise<Row[]> {
  await sleep(settling)
  const empty = await costs(stage)
  await stage.open((person) => [small(person)])
  await sleep(settling)
  const opened = await costs(stage)
  await sleep(idling)
  const idle = await costs(stage)

  const beats = startBeats(stage)
  await sleep(every) // until all have joined
  const come = await costs(stage)
  await sleep(idling)
  const beaten = await costs(stage)
  await beats.stop()

  const kB = (side: 'ours' | 'theirs') => (idle[side].bytes - empty[side].bytes) / people / 1000
  const share = (from: Costs, to: Costs, side: 'ours' | 'theirs') =>
    ((to[side].seconds - from[side].seconds) / (idling / 1000)) * 100
  // without the cost of the idle streams
  const beat = (whose: 'seconds' | 'database') =>
    (beaten.ours[whose] - come.ours[whose] - (idle.ours[whose] - opened.ours[whose])) / (people * (idling / every))
  const beating = ((beat('seconds') + beat('database')) * people) / (every / 1000)
  const each = `${(beat('seconds') * 1000).toFixed(3)} and ${(beat('database') * 1000).toFixed(3)} ms per heartbeat`
  const memory = { unit: 'kB', target: 25, digits: 1 }
  const processor = { unit: '% of a core', target: 10, digits: 1 }
  const what = `heartbeats of ${people} tabs with presence, the server and Postgres together`
  const heartbeats = limitRow(what, beating * 100, processor)
  return [
    besideBare(
      limitRow(`memory of each of ${people} streams over ${accounts} accounts`, kB('ours'), memory),
      kB('theirs'),
      memory,
    ),
    besideBare(
      limitRow(`${people} idle streams, signs of life and checks included`, share(opened, idle, 'ours'), processor),
      share(opened, idle, 'theirs'),
      processor,
    ),
    { ...heartbeats, result: `${heartbeats.result} (${each})` },
  ]
}

type Costs = Awaited<ReturnType<typeof costs>>

const costs = async ({ ours, theirs, backends }: Stage) => {
  const database = sum(await Promise.all((await backends()).map(processorTime)))
  return { ours: { ...(await costOf(ours.pid)), database }, theirs: await costOf(theirs.pid) }
}

const costOf = async (pid: number | undefined) => ({
  bytes: await residentMemory(pid),
  seconds: await processorTime(pid),
})

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

function startBeats({ ours, browser }: Stage) {
  const tabs = Array.from({ length: people }, (_, person) => {
    return { ...browser(person), identifier: identifierOf(small(person)) }
  })
  const beats = start('live-beats.ts')
  beats.say({ url: ours.url + paths.announcePresence().url, tabs } satisfies Beats)
  return beats
}
