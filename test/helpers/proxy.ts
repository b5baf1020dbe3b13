import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A way to the database that can be cut, as if the server was down, or frozen, as if it was there and said nothing. */
export async function startProxy(t: Test, databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isDown = false
  let isFrozen = false
  const server = createServer((client) => {
    if (isDown) return client.destroy()
    const upstream = connect(Number(port || 5432), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          client.destroy()
          upstream.destroy()
        })
    }
    if (isFrozen) return
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    isDown = true
    for (const socket of sockets) socket.destroy()
  }
  const freeze = () => {
    isFrozen = true
    for (const socket of sockets) socket.unpipe().pause()
  }
  t.teardown(() => {
    cut()
    server.close()
  })
  const url = new URL(databaseUrl)
  const address = server.address()
  url.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return { url: url.href, cut, freeze, restore: () => (isDown = false) }
}
