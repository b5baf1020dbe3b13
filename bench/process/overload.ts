import autocannon from 'autocannon'
import { start } from '../lib/children.ts'
import type { Probed } from '../lib/probe.ts'
import { startApplication } from '../lib/processes.ts'
import { limitRow, type Row, rateRow } from '../lib/table.ts'
import { type Person, signUp } from '../lib/visitor.ts'

const times = 3
const seconds = 15

/**
 * Three times the load that a process can handle, from a thousand clients: how long accepted requests take, and how
 * long a health check on a new connection takes.
 */
export async function benchOverload(databaseUrl: string): Promise<Row[]> {
  const application = await startApplication(databaseUrl)
  const person = await signUp(application.url, 'crowd@example.com')
  const url = `${application.url}/${person.slug}`
  const most = await autocannon({ url, headers: headersOf(person), connections: 64, duration: 5 })
  const capacity = most.requests.total / most.duration

  const probe = start('lib/probe.ts')
  const probing: Promise<Probed> = probe.request({ url: `${application.url}/up`, seconds })
  const load = autocannon({
    url,
    headers: headersOf(person),
    connections: 1_000,
    overallRate: Math.round(capacity * times),
    duration: seconds,
    timeout: 30,
  })
  const [probed, result] = await Promise.all([probing, load])
  await probe.stop()
  await application.stop()

  const letIn = (result.statusCodeStats['200']?.count ?? 0) / result.duration
  const lost = result.errors + result.timeouts + probed.failed
  return [
    limitRow('overload: /up on a new connection, p99', probed.p99, { unit: 'ms', target: 1_000 }),
    limitRow('overload: an answer or a refusal, p99', result.latency.p99, { unit: 'ms', target: 1_000 }),
    limitRow('overload: connections that got neither', lost, { unit: '', target: 0 }),
    rateRow(`overload: pages, of ${Math.round(capacity)} a second without it`, letIn, Math.round(capacity / 2)),
  ]
}

const headersOf = ({ cookie }: Person) => ({ cookie, accept: 'text/html' })
