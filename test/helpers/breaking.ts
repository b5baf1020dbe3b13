import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A connection ends in good order or is broken off. */
export type Ending = 'end' | 'resetAndDestroy'

/** A way to the database whose connections break as a test wants, those that are open and those that are about to be. */
export async function startBreaking(t: Test, databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl)
  const open = new Set<Socket>()
  const proxy = { url: '', accepted: 0, refusing: undefined as Ending | undefined, breakAll }
  function breakAll(ending: Ending) {
    for (const socket of open) socket[ending]()
  }

  const server = createServer((client) => {
    proxy.accepted++
    client.on('error', () => {})
    if (proxy.refusing) return client[proxy.refusing]()
    const upstream = connect(Number(port || 5432), hostname)
    open.add(client)
    client.on('close', () => open.delete(client) && upstream.destroy())
    upstream.on('error', () => {}).on('close', () => client.end())
    client.pipe(upstream).pipe(client)
  })
  t.teardown(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  proxy.url = url.href
  return proxy
}
