import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

const listenerCount = 128

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
async function refuseTakenPort(address: Address) {
  const probe = createServer().listen(address)
  await once(probe, 'listening') // throws if the port is taken
  await once(probe.close(), 'close')
}
