import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port of 127.0.0.1 that was free a moment ago. It is below those that systems hand out to whoever listens on any
 * port, or connects, so hardly another process takes it before the caller does.
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(12_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (isFree) await once(server.close(), 'close')
    if (isFree) return port
  }
}
