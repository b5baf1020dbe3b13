import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { openLetters } from './letters.ts'
import { inboxPages } from './pages.ts'

/** A mail server that delivers nothing: its mails are files in a folder, shown at /dev/inbox. */
export async function startInbox(folder: string) {
  const letters = openLetters(folder)
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData: (stream, _session, callback) => {
      buffer(stream)
        .then(letters.keep)
        .then(() => callback(), callback)
    },
  })
  smtp.on('error', () => {}) // a broken connection, after which the sender retries
  const server = smtp.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { address: host, port } = server.address() as AddressInfo
  const stop = () => new Promise<void>((resolve) => smtp.close(() => resolve()))
  return { server: { host, port }, pages: inboxPages(letters), stop }
}
