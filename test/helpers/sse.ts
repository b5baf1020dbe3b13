import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Browser } from './browser.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into frames of every kind
export type Frame = Record<string, any>

export const accountIdentifier = (slug: string) => JSON.stringify({ account: slug, channel: 'AccountChannel' })

export const streamUrl = (identifiers: string[]) => `/live?s=${encodeURIComponent(JSON.stringify(identifiers))}`

const longestWait = 60_000 // milliseconds

/** An EventSource over a real connection, that keeps what it got. */
class EventStream {
  readonly frames: Frame[] = []
  readonly comments: string[] = []
  readonly response: IncomingMessage
  readonly #request: ClientRequest
  retry: number | undefined
  ended = false
  #waiting: (() => void)[] = []
  #rest = ''

  constructor(outgoing: ClientRequest, response: IncomingMessage) {
    this.#request = outgoing
    this.response = response
    response.setEncoding('utf8')
    response.on('data', (text) => this.#read(text))
    const end = () => {
      this.ended = true
      this.#wake()
    }
    response.on('end', end).on('close', end).on('error', end)
  }

  /** Resolves with the first frame from `from` on that matches. */
  async next(matches: (frame: Frame) => boolean, from = 0): Promise<Frame> {
    for (;;) {
      const found = this.frames.slice(from).find(matches)
      if (found) return found
      if (this.ended) throw new Error(`the stream ended after ${JSON.stringify(this.frames)}`)
      await this.#news()
    }
  }

  async until(isSo: () => boolean) {
    while (!isSo()) await this.#news()
  }

  // A test that waits in vain should say for what, before its file runs out of time and says nothing.
  #news() {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const tooLate = setTimeout(() => reject(new Error(`nothing new after ${JSON.stringify(this.frames)}`)), longestWait)
    this.#waiting.push(resolve)
    return promise.finally(() => clearTimeout(tooLate))
  }

  untilEnded = () => this.until(() => this.ended)

  close = () => this.#request.destroy()

  #read(text: string) {
    const events = (this.#rest + text).split('\n\n')
    this.#rest = events.pop() ?? ''
    for (const event of events) {
      if (event.startsWith(':')) this.comments.push(event)
      else if (event.startsWith('retry: ')) this.retry = Number(event.slice(7))
      else this.frames.push(JSON.parse(event.slice('data: '.length)))
    }
    this.#wake()
  }

  #wake() {
    for (const resume of this.#waiting.splice(0)) resume()
  }
}

/** Listens on a port of its own, for streams that `inject` cannot carry. */
export const listen = (app: FastifyInstance) => app.listen({ port: 0, host: '127.0.0.1' })

/** A stream of this browser's person. The application must listen. */
export async function openStream(t: Test, app: FastifyInstance, browser: Browser, identifiers: string[]) {
  const { outgoing, response } = await get(app, browser, streamUrl(identifiers))
  t.teardown(() => outgoing.destroy())
  if (response.statusCode !== 200) throw new Error(`no stream but ${response.statusCode}`)
  return new EventStream(outgoing, response)
}

function get(app: FastifyInstance, browser: Browser, path: string) {
  const headers = { ...browser.headers, cookie: browser.cookieHeader(), accept: 'text/event-stream' }
  const outgoing = request(`${app.listeningOrigin}${path}`, { headers, agent: false })
  return new Promise<{ outgoing: ClientRequest; response: IncomingMessage }>((resolve, reject) => {
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      outgoing.on('error', () => {}) // from now on an end is an end
      resolve({ outgoing, response })
    })
    outgoing.end()
  })
}
