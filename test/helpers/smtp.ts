import { once } from 'node:events'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { freePort } from '../../development/free-port.ts'
import type { Owner } from './owner.ts'

/** An accepted mail, parsed, with its source. */
export type Received = Email & { recipient: string; source: string; encrypted: boolean }

/** `tls` offers STARTTLS, with a self-signed certificate. */
type Options = { tls?: boolean; login?: { user: string; password: string } }

const timeoutMs = 120_000 // only to say what is missing before the runner gives up

/** A real mail server that can misbehave. Accepts everything until told otherwise. */
export async function startSmtp(t: Owner, { tls = false, login }: Options = {}) {
  const mails: Received[] = []
  const tries: string[] = []
  const logins: string[] = []
  const sockets = new Set<Socket>()
  let server: SMTPServer | undefined
  const port = await freePort() // which nobody else gets while it is stopped
  let seen = 0
  let refusal: { code: number; only: string | undefined } | undefined
  let held: Promise<void> | undefined

  async function start() {
    server = new SMTPServer({
      authOptional: !login,
      allowInsecureAuth: true,
      disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
      disableReverseLookup: true,
      closeTimeout: 100,
      onAuth({ username = '', password }, _session, callback) {
        if (username !== login?.user || password !== login.password) return callback(new Error('wrong password'))
        logins.push(username)
        callback(null, { user: username })
      },
      async onRcptTo({ address }, _session, callback) {
        tries.push(address)
        await held
        const { code, only = address } = refusal ?? {}
        if (!code || only !== address) return callback()
        callback(Object.assign(new Error(`${address} is refused`), { responseCode: code }))
      },
      async onData(stream, { envelope, secure: encrypted }, callback) {
        const source = await buffer(stream).catch(() => undefined)
        if (!source) return // stopped in the middle of it
        const recipient = envelope.rcptTo[0]?.address ?? ''
        mails.push({ ...(await PostalMime.parse(source)), recipient, source: source.toString(), encrypted })
        callback()
      },
    })
    server.on('error', () => {}) // a client that disconnected
    server.server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    server.listen(port, '127.0.0.1')
    await once(server.server, 'listening')
  }

  async function stop() {
    const running = server
    server = undefined
    for (const socket of sockets) socket.destroy()
    if (running) await new Promise<void>((resolve) => running.close(() => resolve()))
  }

  async function until(happened: () => boolean) {
    for (const late = Date.now() + timeoutMs; !happened(); await sleep(5)) {
      if (Date.now() > late) throw new Error(`only ${mails.length} mails came, of ${tries.length} tries`)
    }
  }

  await start()
  t.teardown(stop)
  return {
    /** Accepted mails, oldest first. */
    mails,
    /** Users who logged in successfully. */
    logins,
    server: { host: '127.0.0.1', port },
    /** Environment variables that point an application here. */
    environment: { MAILER_HOST: '127.0.0.1', MAILER_PORT: String(port) },
    /** Starts again on the same port after a stop. */
    start,
    stop,
    /** Rejects all recipients, or only one, with a code such as 451 (temporary) or 550 (permanent). */
    refuse(code: number, only?: string) {
      refusal = { code, only }
    },
    /** Blocks every attempt until the returned function is called. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    /** Accepts everything again. */
    accept() {
      refusal = undefined
      held = undefined
    },
    /** The next mail that has not been returned yet, or the next one with this subject. */
    async next(subject?: string) {
      for (;;) {
        const index = seen++
        await until(() => mails.length > index)
        const mail = mails[index] as Received // until saw it
        if (subject === undefined || mail.subject === subject) return mail
      }
    },
    /** Resolves after this many attempts in total, rejected ones included. */
    tried: (count: number) => until(() => tries.length >= count),
  }
}

/** The first link in a mail. */
export function linkIn({ text = '' }: Received) {
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  if (!link) throw new Error(`no link in ${text}`)
  return link
}
