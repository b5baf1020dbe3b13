import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { emit } from '../plugins/events.ts'

const logIntervalMs = 60_000
const spareDescriptors = 64
const minConnections = 8

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
    emit('dropped_connection', {})
    if (performance.now() - loggedAt < logIntervalMs) return
    loggedAt = performance.now()
    log.warn({ dropped, connections, limit }, 'connections are closed, because the limit of open files allows no more')
  }
}

/** The soft limit, which Node raises to the hard one. Undefined without a limit, or where the system does not say. */
function limitOfFiles() {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}
