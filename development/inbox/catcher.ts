import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A mail server on a free local port that hands every mail to `keep` and delivers nothing. */
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
  smtp.on('error', () => {}) // a broken connection, after which the sender retries
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
