import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildWhatIsStale } from '../../development/build.ts'
import { printTable, withOwner } from '../server.ts'
import { faults } from './faults.ts'
import { senders } from './options.ts'
import { type Stage, setStage } from './stage.ts'
import { startVisitors, stored, type Write } from './visitors.ts'

// `npm run faults`: makes one fault after the other while people use the application, and looks for acknowledged writes
// and mails that were lost, and for mails that were queued twice. Takes about nine minutes. With
// `-- --only 'killed|silent'` it makes only matching ones.

const recoveryTimeoutMs = 60_000
const mailTimeoutMs = 90_000 // the jobs of a killed process are taken over after half a minute

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const chosen = Object.entries(faults).filter(([name]) => new RegExp(values.only).test(name))

const always =
  'Fault|Lasts|First write after|Last failure after|Live after|Acknowledged|Not|Lost|Mails|Lost mails|Twice'
const head = [...always.split('|'), ...senders.flatMap(({ columns }) => columns)]
const rows: string[][] = []
const lost = new Set<Write>()
let isStuck = false
let doubled = 0

await withOwner(async (owner) => {
  await buildWhatIsStale()
  const stage = await setStage(owner)
  const { writes, heardAfter, stop } = await startVisitors(stage)

  for (const [name, make] of chosen) {
    await sleep(2000)
    const from = performance.now()
    await make(stage)
    const over = performance.now()
    const firstWrite = () => writes.find(({ begun, isAcknowledged }) => isAcknowledged && begun > over)?.ended
    const isWell = () => firstWrite() !== undefined && heardAfter(over) !== undefined
    while (!isWell() && performance.now() - over < recoveryTimeoutMs) await sleep(50)
    isStuck ||= !isWell()
    await sleep(3000) // for requests that fail late
    const during = writes.filter(({ ended }) => ended > from)
    const lastFailure = during.findLast(({ ended, isAcknowledged }) => !isAcknowledged && ended > over)?.ended
    const times = [over - from, ...[firstWrite(), lastFailure, heardAfter(over)].map((at) => at && at - over)]
    const seconds = times.map((ms) => (ms === undefined ? '–' : `${(ms / 1000).toFixed(1)} s`))
    rows.push([name, ...seconds, ...count(during), ...(await countLost(stage, writes))])
    console.error(rows.at(-1)?.join(' | '))
  }

  await stop()
  rows.push(['all of it', '', '', '', '', ...count(writes), ...(await countLost(stage, writes))])
})
printTable(head, rows)
process.exitCode = isStuck || lost.size > 0 || doubled > 0 ? 1 : 0

function count(writes: Write[]) {
  const acknowledged = writes.filter(({ isAcknowledged }) => isAcknowledged).length
  return [acknowledged, writes.length - acknowledged].map(String)
}

/** Looks for everything that was acknowledged so far, and its mails, and counts what is newly missing. */
async function countLost(stage: Stage, all: Write[]) {
  const { operator, smtp } = stage
  const acknowledged = all.filter((write) => write.isAcknowledged && !lost.has(write))
  const there = new Set<string>()
  for (const [kind, query] of Object.entries(stored))
    for (const { text } of await operator.unsafe(query)) there.add(`${kind} ${text}`)
  const missing = acknowledged.filter(({ kind, text }) => !there.has(`${kind} ${text}`))

  const mailed = acknowledged.filter(({ kind }) => kind === 'user' || kind === 'invitation')
  const until = performance.now() + mailTimeoutMs
  function unsent() {
    const sent = new Set(smtp.mails.map(({ recipient }) => recipient))
    return mailed.filter(({ text }) => !sent.has(text))
  }
  while (unsent().length > 0 && performance.now() < until) {
    // Retries may be due in an hour only.
    await operator`update pgboss.job set start_after = now() where state = 'retry' and start_after > now()`
    await sleep(500)
  }
  for (const write of [...missing, ...unsent()]) lost.add(write)
  doubled = countDoubled(smtp.mails)
  const counts = [missing.length, mailed.length - unsent().length, unsent().length, doubled].map(String)
  for (const sender of senders) counts.push(...(await sender.count(stage, all, lost)))
  return counts
}

/** Mails that were queued twice. A second copy with the same Message-ID, after a crash, is shown once. */
function countDoubled(mails: Stage['smtp']['mails']) {
  const distinct = new Map(mails.map((mail) => [mail.messageId, mail.recipient]))
  const recipients = [...distinct.values()].filter((recipient) => /^(visitor|invitation)-/.test(recipient))
  return recipients.length - new Set(recipients).size
}
