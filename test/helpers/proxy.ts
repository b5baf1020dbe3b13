import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Owner } from './owner.ts'

/** Close a connection cleanly, or reset it. */
export type Ending = 'end' | 'resetAndDestroy'

type Line = { client: Socket; upstream: Socket; isDead: boolean }

/** A proxy to the database that can fail in every way a network can. */
export async function startProxy(t: Owner, databaseUrl: string) {
  let target = new URL(databaseUrl)
  const lines = new Set<Line>()
  const proxy = {
    url: '',
    accepted: 0,
    /** How to close new connections before any byte is sent, if at all. */
    refusing: undefined as Ending | undefined,
    /** The local ports of open connections, as the server sees them. */
    ports: () => [...lines].flatMap(({ upstream }) => upstream.localPort ?? []),
    /** Closes all open connections. */
    breakAll(ending: Ending) {
      // Node never frees a connection that is reset after being ended.
      for (const { client } of lines) client.writableEnded ? client.destroy() : client[ending]()
    },
    /** Closes the connections after this many more messages in either direction. */
    breakAfter(messages: number, ending: Ending) {
      breaking = { messages, ending }
    },
    /** The server is unreachable until `restore`. */
    cut() {
      proxy.refusing = 'resetAndDestroy'
      proxy.breakAll('resetAndDestroy')
    },
    /** Silently drops all data in these directions, also on new connections. */
    silence(...directions: ('toServer' | 'toClient')[]) {
      silent = new Set(directions)
      for (const line of lines) pass(line)
    },
    /** A failover: open connections stay open and silent for ever, and new ones lead to another server. */
    moveTo(otherUrl: string) {
      target = new URL(otherUrl)
      for (const line of lines) pass(Object.assign(line, { isDead: true }))
    },
    /** The server accepts connections but never responds. */
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

  function pass({ client, upstream, isDead }: Line) {
    // Unpipe first, or data would be forwarded twice.
    client.unpipe(upstream).pause()
    upstream.unpipe(client).pause()
    if (isDead) return
    if (!silent.has('toServer')) client.pipe(upstream)
    if (!silent.has('toClient')) upstream.pipe(client)
  }

  const server = createServer((client) => {
    proxy.accepted++
    client.on('error', () => {})
    if (proxy.refusing) return client[proxy.refusing]()
    const line: Line = { client, upstream: connect(Number(target.port || 5432), target.hostname), isDead: false }
    lines.add(line)
    client.on('close', () => lines.delete(line) && line.upstream.destroy())
    line.upstream.on('error', () => {}).on('close', () => line.isDead || client.end())
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
