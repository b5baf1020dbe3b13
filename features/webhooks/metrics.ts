import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { webhookDeliveries } from '../../drizzle/tables/webhooks.ts'
import { collectOnce } from '../../plugins/metrics.ts'

/** Returns what counts a try. Nothing is counted without metrics. */
export async function createMetrics({ metrics, db }: FastifyInstance) {
  if (!metrics) return () => {}
  const { Counter, Gauge } = await import('prom-client')
  const registers = [metrics]
  const tries = new Counter({
    name: 'webhook_tries_total',
    help: 'Tries to deliver to a webhook by outcome',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of ['delivered', 'failed']) tries.inc({ outcome }, 0)

  async function read() {
    const { rows } = await db.execute<{ waiting: number; oldest: number }>(sql`
      select count(*)::int as waiting,
        coalesce(extract(epoch from now() - min(due_at) filter (where due_at < now())), 0)::float as oldest
      from ${webhookDeliveries} where state = 'waiting'`)
    return rows[0]
  }
  const collect = collectOnce(read, (found) => {
    waiting.remove()
    oldest.remove()
    if (!found) return
    waiting.set(found.waiting)
    oldest.set(found.oldest)
  })
  const gauge = (name: string, help: string) => new Gauge({ name, help, aggregator: 'max', registers, collect })
  const waiting = gauge('webhook_deliveries_waiting', 'Deliveries to webhooks that wait for a try')
  const oldest = gauge('webhook_deliveries_oldest_seconds', 'For how long the oldest of them has been due')

  return (outcome: 'delivered' | 'failed') => tries.inc({ outcome })
}
