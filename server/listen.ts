import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

const doors = 16

type Address = { port: number; host: string }

/**
 * Opens the port. Node takes one new connection in each turn of its event loop, which under load is long: who comes anew, a health check among them, would wait for
 * seconds. So the system shares out new connections among several sockets on one port. Processes of a cluster get theirs from the one that watches.
 */
export async function listen(app: FastifyInstance, { port, host }: Address): Promise<string> {
  if (cluster.isWorker || process.platform !== 'linux') return app.listen({ port, host })
  await refuseTakenPort({ port, host })
  const others = Array.from({ length: doors - 1 }, () =>
    createServer((socket) => app.server.emit('connection', socket)),
  )
  const closed = others.map((other) => once(other, 'close'))
  app.addHook('preClose', async () => {
    for (const other of others) other.close()
  })
  app.addHook('onClose', async () => {
    await Promise.all(closed)
  })

  const sharing = { port, host, reusePort: true } // which Fastify hands on to Node and does not know by name
  const address = await app.listen(sharing)
  const opened = { ...sharing, port: Number(new URL(address).port) }
  await Promise.all(others.map((other) => once(other.listen(opened), 'listening')))
  return address
}

/** Sockets that share a port do not notice that somebody else shares it too. */
async function refuseTakenPort(address: Address) {
  const probe = createServer().listen(address)
  await once(probe, 'listening') // throws what the port says
  await once(probe.close(), 'close')
}
