import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { Owner } from './owner.ts'

/** An accepted mail, parsed, with its source. */
export type Received = Email & { recipient: string; source: string; encrypted: boolean }

type Login = { user: string; password: string }
type Options = {
  /** Offers STARTTLS, with a self-signed certificate. */
  tls?: boolean
  login?: Login
}

/** A real mail server that can misbehave. Accepts everything until told otherwise. */
export async function startSmtp(t: Owner, options: Options = {}) {
  const smtp = new Smtp(options)
  await smtp.start()
  t.teardown(() => smtp.stop())
  return smtp
}

const timeoutMs = 120_000 // only to say what is missing before the runner gives up

class Smtp {
  /** Accepted mails, oldest first. */
  readonly mails: Received[] = []
  /** Recipients of all attempts, including rejected ones. */
  readonly tries: string[] = []

  /** Users who logged in successfully. */
  readonly logins: string[] = []

  readonly #options: Options
  #port = 0
  #server: SMTPServer | undefined
  #sockets = new Set<Socket>()
  #refusal: { code: number; only: string | undefined } | undefined
  #held: Promise<void> | undefined
  #seen = 0
  #changed = Promise.withResolvers<void>()

  constructor(options: Options) {
    this.#options = options
  }

  get server() {
    return { host: '127.0.0.1', port: this.#port }
  }

  /** Environment variables that point an application here. */
  get environment() {
    return { MAILER_HOST: this.server.host, MAILER_PORT: String(this.server.port) }
  }

  /** Starts listening. After a stop, uses the same port again. */
  async start() {
    const { tls, login } = this.#options
    this.#server = new SMTPServer({
      authOptional: !login,
      allowInsecureAuth: true,
      disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
      onAuth: ({ username = '', password }, _session, callback) => {
        if (username !== login?.user || password !== login.password) return callback(new Error('wrong password'))
        this.logins.push(username)
        callback(null, { user: username })
      },
      disableReverseLookup: true,
      closeTimeout: 100,
      onRcptTo: async ({ address }, _session, callback) => {
        this.tries.push(address)
        this.#change()
        await this.#held
        const { code, only = address } = this.#refusal ?? {}
        if (!code || only !== address) return callback()
        callback(Object.assign(new Error(`${address} is refused`), { responseCode: code }))
      },
      onData: async (stream, session, callback) => {
        const source = await buffer(stream).catch(() => undefined)
        if (!source) return // stopped in the middle of it
        const recipient = session.envelope.rcptTo[0]?.address ?? ''
        this.mails.push({
          ...(await PostalMime.parse(source)),
          recipient,
          source: source.toString(),
          encrypted: session.secure,
        })
        this.#change()
        callback()
      },
    })
    this.#server.on('error', () => {}) // a client that disconnected
    this.#server.server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server.server, 'listening')
    this.#port = (this.#server.server.address() as AddressInfo).port
  }

  async stop() {
    const server = this.#server
    this.#server = undefined
    for (const socket of this.#sockets) socket.destroy()
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  /** Rejects all recipients, or only one, with a code such as 451 (temporary) or 550 (permanent). */
  refuse(code: number, only?: string) {
    this.#refusal = { code, only }
  }

  /** Blocks every attempt until the returned function is called. */
  hold() {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#held = promise
    return resolve
  }

  /** Accepts everything again. */
  accept() {
    this.#refusal = undefined
    this.#held = undefined
  }

  /** The next mail that has not been returned yet. */
  async next() {
    const index = this.#seen++
    await this.#until(() => this.mails.length > index, 'no mail came')
    return this.mails[index] as Received // #until saw it
  }

  /** Resolves after this many attempts in total. */
  async tried(count: number) {
    await this.#until(() => this.tries.length >= count, `only ${this.tries.length} of ${count} tries were made`)
  }

  async #until(happened: () => boolean, otherwise: string) {
    const late = AbortSignal.timeout(timeoutMs)
    const expired = once(late, 'abort').then(() => Promise.reject(new Error(otherwise)))
    while (!happened()) await Promise.race([this.#changed.promise, expired])
    expired.catch(() => {})
  }

  #change() {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers<void>()
  }
}

/** The first link in a mail. */
export function linkIn({ text = '' }: Received) {
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  if (!link) throw new Error(`no link in ${text}`)
  return link
}
