import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of 127.0.0.1 that was free a moment ago. Another process may take it before the caller does. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (!address || typeof address === 'string') throw new Error('A TCP server has no port')
  return address.port
}
