import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { SMTPServer } from 'smtp-server'
import type { Row } from '../table.ts'
import { Browser, newAddress, signUp } from './attacker.ts'
import { atMostRow } from './guesses.ts'

/** A mail server that counts mails by recipient. */
export async function startMailbox() {
  const received = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, { envelope }, callback) {
      const to = envelope.rcptTo[0]?.address ?? ''
      received.set(to, (received.get(to) ?? 0) + 1)
      stream.resume().once('end', () => callback())
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    environment: { MAILER_HOST: '127.0.0.1', MAILER_PORT: String(port) },
    count: (address: string) => received.get(address) ?? 0,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

type Mailbox = Awaited<ReturnType<typeof startMailbox>>

const stranger = 'stranger@example.com'
const member = 'member@example.com'

/** A flood of invitations by three users with forty accounts each, and of password resets from sixty clients. */
export async function sendMails(url: string, databaseUrl: string, mailbox: Mailbox): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const startedAt = performance.now()
  let tried = 0
  for (let person = 0; person < 3; person++) {
    const { browser } = await signUp(url, `attacker-${person}@example.com`, 'Win at www.evil.example')
    for (let account = 0; account < 40; account++) {
      const { headers } = await browser.send('POST', '/accounts', {
        body: { name: 'evil.example' },
        from: newAddress(),
      })
      const slug = headers.location?.slice(1)
      if (headers['retry-after'] || !slug) continue
      tried++
      await browser.send('POST', `/${slug}/invitations`, {
        body: { email: stranger, role: 'member' },
        from: newAddress(),
      })
    }
  }
  const invited = await settled(sql, () => mailbox.count(stranger))

  await signUp(url, member)
  await sql`update users set verified = true where email = ${member}`
  await settled(sql, () => 0)
  const before = mailbox.count(member)
  const browser = await Browser.open(url)
  for (let request = 0; request < 60; request++) {
    await browser.send('POST', '/identity/password_reset', { body: { email: member }, from: newAddress() })
  }
  const reset = (await settled(sql, () => mailbox.count(member))) - before
  const seconds = (performance.now() - startedAt) / 1000
  await sql.end()
  const note = `, ${seconds.toFixed(0)} s`
  return [
    { ...atMostRow(`mails that ${tried} invitations brought to one stranger`, invited, 5), aim: note.slice(2) },
    atMostRow('mails that 60 requests of a reset from 60 clients brought to one address', reset, 5),
  ]
}

/** Waits until the queue is empty and returns what was received. */
async function settled(sql: postgres.Sql, read: () => number) {
  for (;;) {
    const [queue] =
      await sql`select count(*)::int as waiting from pgboss.job where name = 'mail' and state < 'completed'`
    if (queue?.waiting === 0) return read()
    await sleep(50)
  }
}
