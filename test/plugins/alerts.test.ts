import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { stringify } from 'yaml'
import { faults } from '../../bench/faults/faults.ts'
import { canRun } from '../helpers/authority.ts'

const run = promisify(execFile)
const skip = canRun('promtool', '--version') ? false : 'promtool is not installed'

const folder = fileURLToPath(new URL('../../docs/monitoring/', import.meta.url))
const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')
const rowsUnder = (head: string) =>
  (page.split(`| ${head} |`)[1]?.split('\n\n')[0] ?? '')
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.trim()))

const calm = 10 // minutes before the fault
const lasting = 30 // minutes
const minutes = Array.from({ length: calm + lasting + 1 }, (_, minute) => minute)

type Value = number | '_'
/** The value of a series in each minute since the fault began, which is 0. */
type Series = Record<string, (minute: number) => Value>

/** Per minute. */
type Rates = { right: number; errors: number; unavailable: number }

const requests = (status: number) =>
  `http_requests_total{job="accounts",instance="a",route="/:slug",status="${status}"}`
const usual = 600

/** A process as it is read, with its requests. */
function healthy(during: (minute: number) => Partial<Rates> = () => ({})): Series {
  const total = (rate: keyof Rates) => (until: number) => {
    let sum = 0
    for (let minute = 1 - calm; minute <= until; minute++) {
      const rates = { right: usual, errors: 0, unavailable: 0, ...(minute > 0 ? during(minute) : {}) }
      sum += rates[rate]
    }
    return rate !== 'right' && sum === 0 ? '_' : sum // a series begins with its first event
  }
  return {
    'up{job="accounts",instance="a"}': () => 1,
    'process_start_time_seconds{job="accounts",instance="a"}': () => 1,
    'database_connections_waiting{job="accounts",instance="a"}': () => 0,
    'mail_queue_depth{job="accounts",instance="a",state="waiting"}': () => 0,
    'mail_queue_oldest_seconds{job="accounts",instance="a"}': () => 0,
    [requests(200)]: total('right'),
    [requests(500)]: total('errors'),
    [requests(503)]: total('unavailable'),
  }
}

const missing = (series: Series, names: RegExp, until = lasting): Series =>
  Object.fromEntries(
    Object.entries(series).map(([name, read]) => [
      name,
      names.test(name) ? (minute) => (minute > 0 && minute <= until ? '_' : read(minute)) : read,
    ]),
  )
const counting = (perMinute: number) => (minute: number) => Math.max(0, minute) * perMinute

/** What `npm run faults` saw: responses for each minute of a fault. */
function observed(name: string): Rates {
  const [, , , lasts = '', responses = ''] =
    rowsUnder('Fault | Over | Lasts | Responses | Slowest | Recovers | Live updates').find(
      ([, fault]) => fault === name,
    ) ?? []
  const perMinute = 60 / Math.max(1, Number.parseFloat(lasts))
  const count = (of: RegExp) => Number(of.exec(responses)?.[1] ?? 0) * perMinute
  return { right: count(/(\d+) right/), errors: count(/(\d+) × 500/), unavailable: count(/(\d+) × 503/) }
}

const isOver = /restart/ // at once, so it cannot last
const hidesQueue = /hangs|nothing|silence|no connection/
function ofDatabase(name: string, until: number) {
  const series = healthy((minute) => (minute > until ? {} : observed(name)))
  return hidesQueue.test(name) ? missing(series, /^mail_queue/, until) : series
}

const ofProcesses: Record<string, Series> = {
  'a process does not answer `/metrics`': {
    ...missing(healthy(), /^(?!up)/),
    'up{job="accounts",instance="a"}': (minute) => (minute > 0 ? 0 : 1),
  },
  'Prometheus reads no process': missing(healthy(), /./),
  'one of two processes hangs (SIGSTOP)': {
    ...healthy(),
    'metrics_workers_expected{job="accounts",instance="a"}': () => 2,
    'metrics_workers_answered{job="accounts",instance="a"}': (minute) => (minute > 0 ? 1 : 2),
  },
  'a process of several dies every minute': {
    ...healthy(),
    'workers_restarted_total{job="accounts",instance="a"}': counting(1),
  },
  'a process has all the connections that it may': {
    ...healthy(),
    'http_connections_dropped_total{job="accounts",instance="a"}': counting(60),
  },
  'the mail server takes no mail': {
    ...healthy(),
    'mails_total{job="accounts",instance="a",outcome="delivered"}': (minute) => 100 + 10 * Math.min(0, minute),
    'mails_total{job="accounts",instance="a",outcome="failed"}': counting(5),
  },
}

const databaseFaults = faults.map(({ name }) => [name, ofDatabase(name, isOver.test(name) ? 1 : lasting)] as const)
const all = new Map([...databaseFaults, ...Object.entries(ofProcesses)])

/** Lets Prometheus evaluate the alerts. Throws, with what it found instead, if other pages go out in these minutes. */
async function expectPages(folderOfTest: string, series: Series, expected: Map<number, string[]>) {
  const input = Object.entries(series).map(([name, read]) => {
    const values = minutes.map((minute) => read(minute - calm)).join(' ')
    return { series: name, values: values.replace(/(?<=\d) _/g, ' stale') }
  })
  const tests = Array.from(expected, ([minute, names]) => ({
    expr: 'count by (alertname) (ALERTS{alertstate="firing", severity="page"})',
    eval_time: `${calm + minute}m`,
    exp_samples: names.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
  }))
  const suite = { interval: '1m', input_series: input, promql_expr_test: tests }
  const file = join(folderOfTest, 'test.yml')
  await writeFile(file, stringify({ rule_files: [`${folder}alerts.yml`], evaluation_interval: '1m', tests: [suite] }))
  await run('promtool', ['test', 'rules', file])
}

t.test('the table says of each fault of `npm run faults` whom it wakes', async (t) => {
  const named = rowsUnder('What lasts | Wakes').map(([, fault = '']) => fault)
  t.same(named, [...all.keys()])
})

t.test('Prometheus accepts the rules and the job', { skip }, async () => {
  await run('promtool', ['check', 'config', `${folder}prometheus.yml`])
})

for (const [, fault = '', wakes = ''] of rowsUnder('What lasts | Wakes')) {
  t.test(`${fault}: ${wakes}`, { skip }, async (t) => {
    const claims = Array.from(wakes.matchAll(/\*(\w+)\* after (\d+) min/g), ([, name = '', after]) => ({
      name,
      after: Number(after),
    }))
    t.ok(claims.length > 0 || wakes.startsWith('nobody'))
    const firing = (minute: number) => claims.flatMap(({ name, after }) => (after <= minute ? [name] : [])).toSorted()
    const asked = [...claims.flatMap(({ after }) => [after - 1, after]), 0, lasting]
    await expectPages(t.testdir(), all.get(fault) ?? {}, new Map(asked.map((minute) => [minute, firing(minute)])))
  })
}

t.test('a fault of the database that is over within a minute wakes nobody', { skip }, async (t) => {
  const never = new Map(Array.from({ length: lasting }, (_, minute) => [minute, []]))
  for (const { name } of faults) {
    const folderOfTest = t.testdir()
    await expectPages(folderOfTest, ofDatabase(name, 1), never)
  }
})
