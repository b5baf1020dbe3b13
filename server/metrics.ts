import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Registry } from 'prom-client'

type Options = { port: number; host: string; read: () => Promise<string> }

/** Serves GET /metrics on a separate port, which must not be public. Returns a function that stops it. */
export async function serveMetrics({ port, host, read }: Options) {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    const text = await read()
    return response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
  })
  await once(server.listen(port, host), 'listening').catch((error) => {
    throw Object.assign(error, { variable: 'METRICS_PORT' })
  })
  return async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  }
}

/** In a worker: sends its metrics to the supervisor on request. server/sums.ts asks. */
export function handOver(registry: Registry) {
  process.on('message', async () => process.send?.(await registry.getMetricsAsJSON()))
}
