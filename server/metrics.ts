import { once } from 'node:events'
import { createServer } from 'node:http'
import { AggregatorRegistry, type Registry } from 'prom-client'

type Options = { port: number; host: string; read: () => Promise<string> }

/** Serves GET /metrics on a separate port, which must not be public. Returns a function that stops it. */
export async function serveMetrics({ port, host, read }: Options) {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    const text = await read().catch(() => undefined) // a worker does not respond
    if (text === undefined) return response.writeHead(503).end()
    return response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
  })
  await once(server.listen(port, host), 'listening')
  return async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  }
}

/** In a worker: sends its metrics to the supervisor on request. */
export function handOver(registry: Registry) {
  AggregatorRegistry.setRegistries(registry)
  new AggregatorRegistry() // the constructor starts listening for those requests
}

/** In the supervisor: the sum over all workers. */
export async function sums() {
  const aggregator = new AggregatorRegistry()
  return () => aggregator.clusterMetrics()
}
