import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import type postgres from 'postgres'
import { SMTPServer } from 'smtp-server'

/** A mail server that keeps the text of what it accepts, by recipient. */
export async function startMailbox() {
  const received = new Map<string, string[]>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, { envelope }, callback) {
      const to = envelope.rcptTo[0]?.address ?? ''
      buffer(stream)
        .then((source) => PostalMime.parse(source))
        .then(({ text = '' }) => {
          received.set(to, [...(received.get(to) ?? []), text])
          callback()
        }, callback)
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const count = (address: string) => received.get(address)?.length ?? 0
  return {
    environment: { MAILER_HOST: '127.0.0.1', MAILER_PORT: String(port) },
    count,
    /** The path of the first link of this kind that a person was sent. */
    link: (address: string, path: string) =>
      received
        .get(address)
        ?.flatMap((text) => text.match(/https?:\/\/\S+/g) ?? [])
        .map((url) => url.replace(/^https?:\/\/[^/]+/, ''))
        .find((url) => url.startsWith(path)),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>

/** Waits until the queue is empty and returns what was received. */
export async function settled<T>(sql: postgres.Sql, read: () => T) {
  for (;;) {
    const [queue] =
      await sql`select count(*)::int as waiting from pgboss.job where name = 'mail' and state < 'completed'`
    if (queue?.waiting === 0) return read()
    await sleep(50)
  }
}
