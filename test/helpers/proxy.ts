import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A connection ends in good order or is broken off. */
export type Ending = 'end' | 'resetAndDestroy'

/** A way to the database on which everything can go wrong that does on a network. */
export async function startProxy(t: Test, databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl)
  const lines = new Set<{ client: Socket; upstream: Socket }>()
  const proxy = {
    url: '',
    accepted: 0,
    /** How the next connections end before a byte was said, if at all. */
    refusing: undefined as Ending | undefined,
    /** By which the server knows the connections that are open. */
    ports: () => [...lines].flatMap(({ upstream }) => upstream.localPort ?? []),
    /** Ends the connections that are open. */
    breakAll(ending: Ending) {
      // Node does not let go of a connection that is reset after it was ended.
      for (const { client } of lines) client.writableEnded ? client.destroy() : client[ending]()
    },
    /** Ends them in the middle of something: when so many more messages have come by, in either direction. */
    breakAfter(messages: number, ending: Ending) {
      breaking = { messages, ending }
    },
    /** The server is down until `restore`. */
    cut() {
      proxy.refusing = 'resetAndDestroy'
      proxy.breakAll('resetAndDestroy')
    },
    /** Nothing arrives any more in these directions, and nobody is told: not even who connects anew. */
    silence(...directions: ('toServer' | 'toClient')[]) {
      silent = new Set(directions)
      for (const line of lines) pass(line)
    },
    /** The server is there and says nothing, whatever it is asked. */
    freeze: () => proxy.silence('toServer', 'toClient'),
    close() {
      server.close()
      for (const { client } of lines) client.destroy()
    },
    restore() {
      proxy.refusing = undefined
      proxy.silence()
    },
  }
  let silent = new Set<'toServer' | 'toClient'>()
  let breaking = { messages: Number.POSITIVE_INFINITY, ending: 'end' as Ending }

  function passing() {
    if (--breaking.messages === 0) proxy.breakAll(breaking.ending)
  }

  function pass({ client, upstream }: { client: Socket; upstream: Socket }) {
    // Who is piped twice says everything twice.
    client.unpipe(upstream).pause()
    upstream.unpipe(client).pause()
    if (!silent.has('toServer')) client.pipe(upstream)
    if (!silent.has('toClient')) upstream.pipe(client)
  }

  const server = createServer((client) => {
    proxy.accepted++
    client.on('error', () => {})
    if (proxy.refusing) return client[proxy.refusing]()
    const line = { client, upstream: connect(Number(port || 5432), hostname) }
    lines.add(line)
    client.on('close', () => lines.delete(line) && line.upstream.destroy())
    line.upstream.on('error', () => {}).on('close', () => client.end())
    for (const socket of [client, line.upstream]) socket.on('data', passing)
    pass(line)
  })
  t.teardown(proxy.close)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const url = new URL(databaseUrl)
  url.port = String(typeof address === 'object' && address ? address.port : 0)
  if (url.hostname !== 'localhost') url.hostname = '127.0.0.1'
  proxy.url = url.href
  return proxy
}
