import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'
import type { Owner } from './owner.ts'

type Line = { client: Socket; upstream: Socket; isDead: boolean }

/** A proxy to the database that can fail in every way a network can. */
export async function startProxy(t: Owner, databaseUrl: string) {
  let target = new URL(databaseUrl)
  const lines = new Set<Line>()
  const proxy = {
    url: '',
    refusing: false,
    /** The server is unreachable until `restore`. */
    cut() {
      proxy.refusing = true
      for (const { client } of lines) client.resetAndDestroy()
    },
    /** A failover: open connections stay open and silent for ever, and new ones lead to another server. */
    moveTo(otherUrl: string) {
      target = new URL(otherUrl)
      for (const line of lines) pass(Object.assign(line, { isDead: true }))
    },
    /** The server accepts connections but never responds. */
    freeze: () => silence(true),
    close() {
      server.close()
      for (const { client } of lines) client.destroy()
    },
    restore() {
      proxy.refusing = false
      silence(false)
    },
  }
  let isSilent = false

  /** Drops all data, also on new connections. */
  function silence(silent: boolean) {
    isSilent = silent
    for (const line of lines) pass(line)
  }

  function pass({ client, upstream, isDead }: Line) {
    // Unpipe first, or data would be forwarded twice.
    client.unpipe(upstream).pause()
    upstream.unpipe(client).pause()
    if (isDead || isSilent) return
    client.pipe(upstream)
    upstream.pipe(client)
  }

  const server = createServer((client) => {
    client.on('error', () => {})
    if (proxy.refusing) return client.resetAndDestroy()
    const line: Line = { client, upstream: connect(Number(target.port || 5432), target.hostname), isDead: false }
    lines.add(line)
    client.on('close', () => lines.delete(line) && line.upstream.destroy())
    line.upstream.on('error', () => {}).on('close', () => line.isDead || client.end())
    pass(line)
  })
  t.teardown(proxy.close)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  if (url.hostname !== 'localhost') url.hostname = '127.0.0.1'
  proxy.url = url.href
  return proxy
}

/** Answers every connection so, with silence by default. Returns the port. */
export async function startAnswering(t: Owner, answer: (socket: Socket) => unknown = () => {}) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    answer(socket)
  })
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** Counts seconds in tenths, but not while the machine pauses or is too busy for the count itself. */
export function startStopwatch(t: Test) {
  let tenths = 0
  const timer = setInterval(() => tenths++, 100)
  t.teardown(() => clearInterval(timer))
  return () => tenths / 10
}
