import { parseArgs } from 'node:util'
import { buildWhatIsStale } from '../../development/build.ts'
import { noCertificates } from '../../test/helpers/authority.ts'
import { hangUp } from '../abuse/attacker.ts'
import { faults } from './faults.ts'
import { type Observed, observe } from './observe.ts'
import { putInto, summaryOf, tableOf } from './report.ts'
import { setStage } from './stage.ts'
import { verify, verifyMails } from './verify.ts'
import { startVisitors } from './visitors.ts'

// `npm run faults`: causes every database failure we can think of, with and without TLS, while people use the
// application. A single process has to survive all of them. Prints what people saw and what was lost, and writes it
// into docs/operating.md. Takes about seven minutes. `-- --only lock` runs only matching faults.

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const chosen = faults.filter(({ name }) => new RegExp(values.only ?? '').test(name))

const teardowns: (() => unknown)[] = []
const owner = { teardown: (stop: () => unknown) => teardowns.push(stop) }
async function stopAll() {
  for (const stop of teardowns.splice(0).reverse()) await stop()
}
process.once('SIGINT', () => stopAll().finally(() => process.exit(130)))

try {
  await buildWhatIsStale()
  const ways = noCertificates ? ['plain text'] : ['plain text', 'TLS']
  const outcomes = await Promise.all(ways.map(suffer))
  const rows = chosen.flatMap((_, n) => outcomes.flatMap(({ observed }) => observed[n] ?? []))
  const text = [tableOf(rows), outcomes.map(({ summary }) => summary).join('\n\n')].join('\n\n')
  console.log(text)
  if (noCertificates) console.log(`Not over TLS: ${noCertificates}`)
  else if (chosen.length === faults.length) await putInto(new URL('../../docs/operating.md', import.meta.url), text)
  process.exitCode = outcomes.every(({ isWell }) => isWell) ? 0 : 1
} finally {
  hangUp()
  await stopAll()
}

async function suffer(transport: string) {
  const stage = await setStage(owner, transport === 'TLS')
  const visitors = await startVisitors(stage.application.url, stage.inside)
  const observed: Observed[] = []
  for (const fault of chosen) {
    console.error(`${transport}: ${fault.name}`)
    observed.push(await observe(fault, transport, stage, visitors))
  }
  await visitors.stop()
  const verified = await verify(stage, visitors.writes)
  const mails = await verifyMails(stage, visitors.writes)
  const hasRecovered = observed.every(
    ({ skipped, recovered, liveAfter }) => skipped || (recovered !== undefined && liveAfter !== undefined),
  )
  const isAlive = stage.application.isAlive()
  if (!isAlive) console.log(`Over ${transport} the process of the application died`)
  return {
    observed,
    summary: summaryOf(transport, verified, mails),
    isWell: isAlive && hasRecovered && verified.lost === 0 && mails.lost === 0,
  }
}
