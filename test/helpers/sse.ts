import { EventEmitter, once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Browser } from './browser.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into frames of every kind
export type Frame = Record<string, any>

export const accountIdentifier = (slug: string) => JSON.stringify({ account: slug, channel: 'AccountChannel' })

export const acme = accountIdentifier('acme')

export const isConfirmed = ({ type }: Frame) => type === 'confirm_subscription'
export const isRejected = ({ type }: Frame) => type === 'reject_subscription'
export const isPresence = ({ type }: Frame) => type === 'presence'
export const isMessage = ({ message }: Frame) => message !== undefined

const write =
  (method: 'POST' | 'DELETE', action: 'presence' | 'perform') =>
  (browser: Browser, body: object, headers: object = {}) =>
    browser.send(method, `/live/${action}`, {
      body: { identifier: acme, ...body },
      headers: { ...browser.csrfHeader(), ...headers },
    })

/** What a page of Acme does, or of another identifier. */
export const beat = write('POST', 'presence')
export const leave = write('DELETE', 'presence')
export const perform = write('POST', 'perform')

export const streamUrl = (identifiers: string[]) => `/live?s=${encodeURIComponent(JSON.stringify(identifiers))}`

const maxWaitMs = 60_000

/** An EventSource over a real connection that records what it receives. */
class EventStream {
  readonly frames: Frame[] = []
  readonly comments: string[] = []
  readonly pings: string[] = []
  readonly response: IncomingMessage
  readonly #request: ClientRequest
  retry: number | undefined
  ended = false
  readonly #events = new EventEmitter()
  #rest = ''

  constructor(outgoing: ClientRequest, response: IncomingMessage) {
    this.#request = outgoing
    this.response = response
    response.setEncoding('utf8')
    response.on('data', (text) => this.#read(text))
    const end = () => {
      this.ended = true
      this.#events.emit('news')
    }
    response.on('end', end).on('close', end).on('error', end)
  }

  /** Resolves with the first matching frame, starting at index `from`. */
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

  // Fails with the frames received so far, before the test file times out without any explanation.
  #news() {
    return once(this.#events, 'news', { signal: AbortSignal.timeout(maxWaitMs) }).catch(() => {
      throw new Error(`nothing new after ${JSON.stringify(this.frames)}`)
    })
  }

  untilEnded = () => this.until(() => this.ended)

  close = () => this.#request.destroy()

  #read(text: string) {
    const events = (this.#rest + text).split('\n\n')
    this.#rest = events.pop() ?? ''
    for (const event of events) {
      if (event.startsWith(':')) this.comments.push(event)
      else if (event.startsWith('event: ping\n')) this.pings.push(event)
      else if (event.startsWith('retry: ')) this.retry = Number(event.slice(7))
      else this.frames.push(JSON.parse(event.slice('data: '.length)))
    }
    this.#events.emit('news')
  }
}

/** Opens a stream with this browser's session. The application must be listening. */
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
      outgoing.on('error', () => {}) // later errors are reported as the end of the stream
      resolve({ outgoing, response })
    })
    outgoing.end()
  })
}
