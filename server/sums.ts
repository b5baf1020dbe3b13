import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client'

/** As `getMetricsAsJSON()` makes them. */
type Metrics = { type: unknown }[]

const timeoutMs = 2_000 // of the ten seconds that Prometheus waits by default

/**
 * The metrics of all workers in one, with those of the supervisor. A worker that does not answer is left out, because
 * that is when the numbers of the others are needed most.
 */
export function createSums(workers: number) {
  const own = new Registry()
  const registers = [own]
  const startedAt = { name: 'process_start_time_seconds', help: 'When the supervisor started', registers }
  new Gauge(startedAt).set(Math.round(Date.now() / 1000 - process.uptime()))
  new Gauge({ name: 'metrics_workers_expected', help: 'Processes that should answer', registers }).set(workers)
  const answered = new Gauge({ name: 'metrics_workers_answered', help: 'Processes that do', registers })
  const restarts = new Counter({ name: 'workers_restarted_total', help: 'Processes that were replaced', registers })

  const ready = new Map<number, Worker>()
  const pending = new Map<number, Promise<Metrics | undefined>>()
  const last = new Map<number, Metrics>()
  let ofExited: Metrics = []
  cluster.on('listening', (worker) => ready.set(worker.id, worker))
  cluster.on('exit', ({ id }) => {
    ofExited = aggregate([ofExited, countersOf(last.get(id))]).getMetricsAsArray()
    for (const known of [ready, pending, last]) known.delete(id)
  })

  // A worker that hangs is not pending again, or it would find thousands of questions afterwards.
  function request(worker: Worker) {
    const before = pending.get(worker.id)
    if (before) return before
    const answer = once(worker, 'message').then(
      ([metrics]: Metrics[]) => {
        if (metrics && ready.has(worker.id)) last.set(worker.id, metrics)
        pending.delete(worker.id)
        return metrics
      },
      () => undefined,
    )
    pending.set(worker.id, answer)
    worker.send('metrics', () => {}) // it may be about to end
    return answer
  }

  async function read() {
    const timeout = sleep(timeoutMs, undefined, { ref: false })
    const all = [...ready.values()]
    const answers = await Promise.all(all.map((worker) => Promise.race([request(worker), timeout])))
    answered.set(answers.filter(Boolean).length)
    // Counters must not fall: Prometheus would take that for a restart, and count all that is left once more.
    const known = all.map(({ id }, n) => answers[n] ?? countersOf(last.get(id)))
    return `${await aggregate([...known, ofExited]).metrics()}\n${await own.metrics()}`
  }
  return { own, restarts, read }
}

const aggregate = (metrics: Metrics[]) => AggregatorRegistry.aggregate(metrics)
const countersOf = (metrics: Metrics = []) =>
  metrics.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
