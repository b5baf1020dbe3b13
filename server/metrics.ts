import { once } from 'node:events'
import { createServer } from 'node:http'
import { AggregatorRegistry, type Registry } from 'prom-client'

type Options = { port: number; host: string; read: () => Promise<string> }

/** GET /metrics on a port of its own, which nobody outside is to reach. Returns what ends it. */
export async function serveMetrics({ port, host, read }: Options) {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    const text = await read().catch(() => undefined) // a process that does not answer
    if (text === undefined) return response.writeHead(503).end()
    return response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
  })
  await once(server.listen(port, host), 'listening')
  return async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  }
}

/** In a process of several: gives its numbers to the one that watches, whenever that one asks. */
export function handOver(registry: Registry) {
  AggregatorRegistry.setRegistries(registry)
  new AggregatorRegistry() // which begins to listen for the question
}

/** In the one that watches: the sums of all others. */
export async function sums() {
  const aggregator = new AggregatorRegistry()
  return () => aggregator.clusterMetrics()
}
