import cluster from 'node:cluster'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { textOf } from '../plugins/files.ts'
import { instrument } from '../plugins/instrumentation.ts'

const listenerCount = 128
const logIntervalMs = 60_000
const spareDescriptors = 64
const minConnections = 8

type Address = { port: number; host: string }

/**
 * Opens the port. Node accepts one connection per turn of the event loop and socket. Under load, when turns are long,
 * new clients and health checks would wait for seconds, so several sockets share the port and the kernel distributes
 * connections among them. Workers of a cluster get their connections from the supervisor.
 */
export async function listen(app: FastifyInstance, { port, host }: Address): Promise<string> {
  if (cluster.isWorker || process.platform !== 'linux') return app.listen({ port, host })
  await refuseTakenPort({ port, host })
  const others = Array.from({ length: listenerCount - 1 }, () =>
    createServer((socket) => app.server.emit('connection', socket)),
  )
  const closed = others.map((other) => once(other, 'close'))
  app.addHook('preClose', async () => {
    for (const other of others) other.close()
  })
  app.addHook('onClose', async () => {
    await Promise.all(closed)
  })

  const sharing = { port, host, reusePort: true } // Fastify passes `reusePort` on to Node, but does not declare it
  const address = await app.listen(sharing)
  const opened = { ...sharing, port: Number(new URL(address).port) }
  await Promise.all(others.map((other) => once(other.listen(opened), 'listening')))
  return address
}

/** Sockets that share a port do not fail if another process uses it too. */
export async function refuseTakenPort(address: Address) {
  const probe = createServer().listen(address)
  await once(probe, 'listening') // throws if the port is taken
  await once(probe.close(), 'close')
}

/**
 * Closes connections beyond those that the limit of open files leaves room for. Without a free descriptor, nothing that
 * opens a file works any more, and the process would end. `later` is how many the process itself may still open.
 */
export function boundConnections({ server, log }: FastifyInstance, later: number) {
  const limit = limitOfFiles()
  if (limit === undefined) return
  const isOpen = readdirSync('/proc/self/fd').length
  // Two for each: a connection may be sent a file.
  const maxConnections = Math.max(minConnections, Math.floor((limit - isOpen - later - spareDescriptors) / 2))
  let connections = 0
  let dropped = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  server.prependListener('connection', (socket) => {
    if (connections >= maxConnections) return drop(socket)
    connections++
    socket.once('close', () => void connections--)
  })

  function drop(socket: { destroy(): void }) {
    socket.destroy()
    dropped++
    instrument('dropped_connection', {})
    if (performance.now() - loggedAt < logIntervalMs) return
    loggedAt = performance.now()
    log.warn({ dropped, connections, limit }, 'dropping connections: open file limit reached')
  }
}

/** The soft limit, which Node raises to the hard one. Undefined without a limit, or where the system does not say. */
function limitOfFiles() {
  const [, limit] = /^Max open files +(\d+)/m.exec(textOf('/proc/self/limits') ?? '') ?? []
  return limit === undefined ? undefined : Number(limit)
}
