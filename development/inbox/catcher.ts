import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A mail server on a free port of this machine that hands everything to `keep` and passes nothing on. */
export async function startCatcher(keep: (source: Buffer) => Promise<void>) {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData: (stream, _session, callback) => {
      buffer(stream)
        .then(keep)
        .then(() => callback(), callback)
    },
  })
  smtp.on('error', () => {}) // a connection that broke; whoever sends tries again
  const server = smtp.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('a TCP server has no port')
  return {
    host: address.address,
    port: address.port,
    stop: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  }
}
