import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

// A process full of clients, on bare sockets to keep their own cost low.

export type Streams = { path: string; cookie: string; subscriptions: number }[]
export type Request =
  | { kind: 'open'; url: string; streams: Streams }
  | { kind: 'close' }
  /** Answered at once, and again with the time when that many messages have arrived. */
  | { kind: 'count'; messages: number }
export type Answer = { at: number }

const atOnce = 64
const sockets = new Set<Socket>()
let received = 0
let expected = 0

process.on('message', async (request: Request) => {
  if (request.kind === 'open') {
    const waiting = request.streams.values()
    const { hostname, port } = new URL(request.url)
    const openSome = async () => {
      for (const stream of waiting) await open(connect(Number(port), hostname), stream)
    }
    await Promise.all(Array.from({ length: atOnce }, openSome))
  } else if (request.kind === 'close') {
    const closed = [...sockets].map((socket) => once(socket, 'close'))
    for (const socket of sockets) socket.destroy()
    await Promise.all(closed)
  } else {
    received = 0
    expected = request.messages
  }
  answer()
})
process.once('disconnect', () => process.exit())

/** Resolves when all subscriptions are confirmed. */
function open(socket: Socket, { path, cookie, subscriptions }: Streams[number]) {
  sockets.add(socket)
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\ncookie: ${cookie}\r\n\r\n`)
  return new Promise<void>((resolve, reject) => {
    let missing = subscriptions
    let last = 'nothing'
    socket.on('data', (chunk) => {
      if (missing === 0) return receive(chunk)
      last = chunk.toString('latin1', 0, 200)
      missing -= occurrences(chunk, 'confirm_subscription')
      if (missing === 0) resolve()
    })
    socket.once('error', reject)
    socket.once('close', () => {
      sockets.delete(socket)
      reject(new Error(`a stream ended early, after ${last}`)) // no effect once the stream has started
    })
  })
}

function receive(chunk: Buffer) {
  received += occurrences(chunk, '"message"')
  if (expected === 0 || received < expected) return
  expected = 0
  answer()
}

// Frames are much shorter than the read buffer, so they arrive in one chunk.
function occurrences(chunk: Buffer, text: string) {
  let count = 0
  for (let at = chunk.indexOf(text); at !== -1; at = chunk.indexOf(text, at + text.length)) count++
  return count
}

const answer = () => process.send?.({ at: performance.timeOrigin + performance.now() } satisfies Answer)
