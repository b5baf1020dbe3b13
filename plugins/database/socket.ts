import { Socket } from 'node:net'

/** What postgres.js tells its option `socket`, which its types leave out. */
type Target = { host: string[]; port: number[]; path?: string | false }

/** For postgres.js (3.4.9): opens the connections of a pool. */
export function openingSockets() {
  let opened = 0
  return ({ host, port, path }: Target) => {
    const next = opened++ % host.length // of several servers another, in case that the last one did not answer
    const address = { host: host[next], port: port[next] ?? 5432 }
    const socket = Object.assign(new PostgresSocket(host.length === 1), address)
    sendOnlyGreeting(socket)
    return path ? socket.connect(path) : socket.connect(address)
  }
}

/**
 * Tells of its end in one go, and always as an error. What postgres.js sends between error and close is never answered and blocks the connection after
 * it; and a query whose connection closes in good order before it is open would connect again at once, and again, for as long as it takes.
 */
class PostgresSocket extends Socket {
  readonly #isOnlyServer: boolean
  #fault: Error | undefined
  #isReady = false

  constructor(isOnlyServer: boolean) {
    super()
    this.#isOnlyServer = isOnlyServer
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'error') {
      this.#fault = args[0] as Error
      return true
    }
    if (event === 'close') return this.#close()
    if (event === 'data') this.#isReady ||= hasReadyForQuery(args[0])
    return super.emit(event, ...args)
  }

  #close() {
    const fail = () => this.listenerCount('error') > 0 && super.emit('error', this.#fault ?? closed())
    fail()
    // With several servers to try, postgres.js may let a query wait in spite of the error, and would take this for its answer.
    if (this.#isReady && this.#isOnlyServer) {
      // Nobody waits any more: this makes postgres.js forget why Postgres broke off, with which it would answer the first query of the next connection.
      super.emit('data', readyForQuery)
      fail() // what it took for an invitation
    }
    return super.emit('close', this.#fault !== undefined || !this.#isReady)
  }
}

const closed = () => Object.assign(new Error('Postgres closed the connection'), { code: 'CONNECTION_CLOSED' })

const readyForQuery = Buffer.from('Z\0\0\0\x05I', 'latin1')
const hasReadyForQuery = (bytes: unknown) => Buffer.isBuffer(bytes) && bytes.includes(readyForQuery)

/** The first write is the greeting, but postgres.js puts in front of it what the connection before this one had not sent. */
function sendOnlyGreeting(socket: Socket) {
  const { write } = socket
  socket.write = (bytes: unknown) => {
    socket.write = write
    if (!Buffer.isBuffer(bytes)) throw new TypeError('postgres.js writes buffers')
    return socket.write(bytes.subarray(Math.max(0, bytes.lastIndexOf('\0\x03\0\0user\0') - 4)))
  }
}
