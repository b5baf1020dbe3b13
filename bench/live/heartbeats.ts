import { setTimeout as sleep } from 'node:timers/promises'
import { paths } from '../../features/paths.ts'
import { start } from '../lib/children.ts'
import { startCeiling } from '../lib/processes.ts'
import { limitRow, type Row } from '../lib/table.ts'
import type { Counted, Load } from './heartbeat-clients.ts'
import type { Idle } from './idle.ts'
import { people, small } from './seed.ts'
import { type Costs, costsSince, identifierOf, type Stage } from './stage.ts'

const every = 15_000 // milliseconds
const measured = 2 * every

/**
 * The processor time of heartbeats with all streams open, without that of the idle streams. Beside it, the same
 * requests to a bare route that only parses them and checks the signature of the cookie.
 */
export async function heartbeatsRow(stage: Stage, { ours: idle }: Idle): Promise<Row> {
  const { ours, browser, bareBrowser } = stage
  const url = ours.url + paths.announcePresence().url
  const withPresence = await measure({ url, tabs: tabsOf(browser) }, async () => (await stage.costs()).ours)

  const ceiling = await startCeiling(stage.databaseUrl)
  const toBare = { url: `${ceiling.url}/beat`, tabs: tabsOf(bareBrowser) }
  const bare = await measure(toBare, () => stage.costOf(ceiling.pid)).finally(ceiling.stop)

  const due = people / (every / 1000) // a second
  const cost = (of: 'server' | 'database') => ((withPresence[of] - idle[of]) / withPresence.rate) * due
  const processor = { unit: '% of a core', target: 10, digits: 1 }
  const what = `heartbeats of ${people} tabs with presence, the server and Postgres together`
  const row = limitRow(what, (cost('server') + cost('database')) * 100, processor)
  const each = [cost('server'), cost('database')].map((share) => ((share / due) * 1000).toFixed(3)).join(' and ')
  const ofBare = ((bare.server / bare.rate) * due * 100).toFixed(1)
  return { ...row, result: `${row.result} (${each} ms per heartbeat; a bare route without presence: ${ofBare} %)` }
}

type Measured = Costs & { rate: number }

/** What a second costs, with how many heartbeats, once everyone has joined. */
async function measure(load: Load, costs: () => ReturnType<Stage['costOf']>): Promise<Measured> {
  const clients = start('live/heartbeat-clients.ts')
  try {
    clients.send(load)
    await sleep(every + 1_000)
    const [before, from]: [Counted, Awaited<ReturnType<typeof costs>>] = [await clients.request({}), await costs()]
    await sleep(measured)
    const [after, to]: [Counted, Awaited<ReturnType<typeof costs>>] = [await clients.request({}), await costs()]
    const spent = costsSince(from, to)
    return { ...spent, rate: (after.answered - before.answered) / spent.seconds }
  } finally {
    await clients.stop()
  }
}

const tabsOf = (browser: Stage['browser']) =>
  Array.from({ length: people }, (_, person) => ({ ...browser(person), identifier: identifierOf(small(person)) }))
