import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { unmatchedPath } from '../plugins/http/logging.ts'

// Node keeps the response that it makes on a connection in this field.
type Connection = Socket & { _httpMessage?: ServerResponse<IncomingMessage> | null }

/** Knows the open connections of a server, which Node only counts, and bounds their number. */
export function trackConnections(server: Server) {
  const connections = new Set<Connection>()
  // Beyond them, a primary would keep new ones and ask all workers again and again.
  Object.assign(server, { maxConnections: maxConnections(), dropMaxConnection: true })
  server.on('connection', (connection: Connection) => {
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
  })

  const answering = (connection: Connection) => {
    const request = connection._httpMessage?.req
    return request?.complete ? request : undefined
  }

  return {
    /**
     * Closes connections without a request that has arrived completely. For others Node would wait a minute: browsers
     * connect ahead of their first request, and anybody may send half a request, or one byte a second.
     */
    closeUnlessAnswering() {
      for (const connection of connections) if (!answering(connection)) connection.destroy()
    },
    /** The method and path of each request that has no answer yet. */
    unanswered: () =>
      Array.from(connections, answering).flatMap((request) =>
        request ? `${request.method} ${unmatchedPath(request.url ?? '')}` : [],
      ),
  }
}

/**
 * As many as leave file descriptors for databases, mail servers and files. Without any, a timer of
 * @fastify/under-pressure ends the process, and a primary cannot pass connections to it. Only Linux says how many.
 */
function maxConnections() {
  const limits = existsSync('/proc/self/limits') ? readFileSync('/proc/self/limits', 'utf8') : ''
  const descriptors = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  return Math.max(10, Math.min(descriptors - 100, descriptors * 0.75))
}
