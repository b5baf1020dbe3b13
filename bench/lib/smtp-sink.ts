import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

// A mail server in a separate process that accepts everything and reports when it has the expected number.

let received = 0
let expected = Number.POSITIVE_INFINITY
const count = () => {
  received++
  if (received === expected) process.send?.({ at: Date.now() })
}

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  onData: (stream, _session, callback) => {
    stream.resume().once('end', () => {
      callback()
      count()
    })
  },
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.server.address() as AddressInfo).port }))

process.on('message', (more: { expect: number }) => {
  received = 0
  expected = more.expect
})
process.once('disconnect', () => process.exit())
