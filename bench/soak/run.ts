import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { buildWhatIsStale } from '../../development/build.ts'
import { start } from '../lib/children.ts'
import { startDatabase } from '../lib/database.ts'
import type { Probed } from '../lib/probe.ts'
import { startApplication } from '../lib/processes.ts'
import { countRow, limitRow, printTable, type Row, rateRow } from '../lib/table.ts'
import { type Person, signUp } from '../lib/visitor.ts'
import type { Load, Outcome } from './crowd.ts'
import { lost } from './lost.ts'
import { openStreams } from './streams.ts'
import { openFiles, watch } from './watch.ts'

// `npm run soak`: everything at once for ten minutes at 60 % of what the process can handle, then two minutes of three
// times that capacity. SOAK_MINUTES and SOAK_OVERLOAD_MINUTES change the durations. The maximum is that of the same
// mix, of 32 visitors who never pause. They and Postgres share the machine with the process, in all three parts.

const minutes = Number(process.env.SOAK_MINUTES ?? 10)
const overloadMinutes = Number(process.env.SOAK_OVERLOAD_MINUTES ?? 2)
// So many that nobody changes their name more often than the limit allows, and without a divisor in common with the
// hundred kinds of requests, so that everyone does everything.
const people = 601
const streams = 200
const pool = 10
const share = 0.6
const aMoment = 3_000 // milliseconds in which the connections of those who left are closed
const times = 3

const teardowns: (() => Promise<unknown>)[] = []
try {
  await buildWhatIsStale()
  const database = await startDatabase()
  teardowns.push(database.stop)
  const sink = start('lib/smtp-sink.ts')
  teardowns.push(sink.stop)
  const { port } = await sink.answer()
  const mailer = { MAILER_HOST: '127.0.0.1', MAILER_PORT: String(port) }
  const application = await startApplication(database.url, { ...mailer, DATABASE_POOL: String(pool) })
  teardowns.push(application.stop)
  const sql = postgres(database.url, { max: 1 })
  teardowns.push(() => sql.end())
  const crowd = start('soak/crowd.ts')
  teardowns.push(crowd.stop)

  const everybody: Person[] = []
  for (let n = 0; n < people; n++)
    everybody.push(await signUp(application.url, `soak-${n}@example.com`, `10.200.${n >> 8}.${n & 255}`))
  const measure = (load: Omit<Load, 'url' | 'people'>): Promise<Outcome> =>
    crowd.request({ url: application.url, people: everybody, ...load }, { timeoutMs: (load.seconds + 60) * 1000 })

  const closeStreams = await openStreams(application.url, everybody, streams)
  teardowns.push(closeStreams)
  await measure({ seconds: 5, atOnce: 32 })
  const most = await measure({ seconds: 15, atOnce: 32 })
  const maximum = most.answered / 15
  print('the maximum', most)

  await sleep(aMoment)
  const filesBefore = await openFiles(application.pid)
  const stopWatching = watch(application.pid, sql)
  const soak = await measure({ seconds: minutes * 60, atOnce: 500, rate: maximum * share })
  const watched = await stopWatching()
  await sleep(aMoment)
  const filesAfter = await openFiles(application.pid)
  print('the soak', soak)
  const rows: Row[] = [
    rateRow(
      `soak: requests of all kinds, ${share * 100} % of ${Math.round(maximum)} a second`,
      soak.answered / minutes / 60,
      Math.floor(maximum * share * 0.98),
    ),
    countRow('soak: requests that failed or were refused', soak.failed.length + soak.refused.length, 0),
    limitRow('soak: an answer, p99', soak.p99, { unit: 'ms', target: 1_000 }),
    countRow(`soak: writes lost, of ${acknowledgedBy(soak)} acknowledged`, await lost(sql, soak.acknowledged), 0),
    countRow('soak: mails that did not arrive', await mailsMissing(sql), 0),
    limitRow(
      `soak: memory, last third of the second (${Math.round(watched.memory / 2 ** 20)} MiB)`,
      watched.memoryGrowth,
      { unit: '×', target: 1.05, digits: 2 },
    ),
    limitRow(`soak: open files and sockets when all have left, of before (${filesBefore})`, filesAfter / filesBefore, {
      unit: '×',
      target: 1.05,
      digits: 2,
    }),
    limitRow('soak: connections to the database', watched.connections, { unit: '', target: pool + 3 }),
  ]

  const probe = start('lib/probe.ts')
  teardowns.push(probe.stop)
  const seconds = overloadMinutes * 60
  const probing: Promise<Probed> = probe.request(
    { url: `${application.url}/up`, seconds },
    { timeoutMs: (seconds + 60) * 1000 },
  )
  const [overload, up] = await Promise.all([measure({ seconds, atOnce: 1_000, rate: maximum * times }), probing])
  const recovered = await recoveryOf(application.url, everybody)
  print('the overload', overload)
  rows.push(
    limitRow(
      `overload: an answer to who is let in, p99 (${Math.round(overload.answered / seconds)} a second)`,
      overload.p99,
      { unit: 'ms', target: 1_000 },
    ),
    countRow(
      `overload: neither an answer nor a 503 (${Math.round(overload.refused.length / seconds)} a second)`,
      overload.failed.length,
      0,
    ),
    limitRow('overload: /up on a new connection, p99', up.p99, { unit: 'ms', target: 1_000 }),
    countRow('overload: /up that did not answer', up.failed, 0),
    countRow(
      `overload: writes lost, of ${acknowledgedBy(overload)} acknowledged`,
      await lost(sql, overload.acknowledged),
      0,
    ),
    limitRow('overload: until ten pages in a row take less than 100 ms', recovered, {
      unit: 's',
      target: 5,
      digits: 1,
    }),
  )
  printTable(rows)
  if (rows.some(({ met }) => !met)) process.exitCode = 1
} finally {
  for (const stop of teardowns.reverse()) await stop()
}

function print(when: string, { failed, refused, p99Of, minutes, late }: Outcome) {
  const times = Object.entries(p99Of).map(([kind, time]) => `${kind} ${Math.round(time)} ms`)
  const ours = `the visitors themselves ${Math.round(late)} ms late`
  console.log(`${when}, p99: ${times.join(', ')}, ${ours}`)
  if (failed.length > 0) console.log(`  failed: ${counted(failed)}`)
  if (refused.length > 0) console.log(`  refused: ${counted(refused)}`)
  if (minutes.length > 1)
    for (const [n, { answered, refused, p99 }] of minutes.entries())
      console.log(`  minute ${n + 1}: ${answered} answers, ${refused} refusals, p99 ${Math.round(p99)} ms`)
}

function counted(list: string[]) {
  const counts = Object.entries(Object.groupBy(list, (what) => what))
  return counts.map(([what, all]) => `${what} (${all?.length})`).join(', ')
}

function acknowledgedBy({ acknowledged: { names, emails, sessions, pictured } }: Outcome) {
  return names.length + emails.length + sessions.length + pictured.length
}

/** Mails that are still queued after a minute, or were given up. */
async function mailsMissing(sql: postgres.Sql) {
  for (let second = 0; ; second++) {
    const [row] = await sql<
      { count: number }[]
    >`select count(*)::int as count from pgboss.job where name like 'mail%' and state <> 'completed'`
    const count = row?.count ?? Number.NaN
    if (count === 0 || second === 60) return count
    await sleep(1_000)
  }
}

/** Seconds from the end of the load. */
async function recoveryOf(url: string, [person]: Person[]) {
  const begun = performance.now()
  for (let quick = 0; quick < 10; ) {
    const asked = performance.now()
    const { status } = await fetch(`${url}/${person?.slug}`, { headers: { cookie: person?.cookie ?? '' } })
    quick = status === 200 && performance.now() - asked < 100 ? quick + 1 : 0
  }
  return (performance.now() - begun) / 1000
}
