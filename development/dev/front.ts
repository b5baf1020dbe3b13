import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Backend } from './backend.ts'
import { errorPage, waitingPage } from './page.ts'

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

const startTimeoutMs = 8_000 // how long a request waits for the server to start

/**
 * The address that a browser uses. It stays while the server restarts: requests wait for the newest server. `assets`
 * answers those for sources of pages.
 */
export function createFront(backend: Backend, assets: () => Middleware) {
  return createServer((request, response) => {
    response.on('error', () => {})
    assets()(request, response, () => forward(request, response))
  })

  async function forward(request: IncomingMessage, response: ServerResponse) {
    const started = await Promise.race([backend.started(), sleep(startTimeoutMs, undefined, { ref: false })])
    if (!started) return refuse(request, response, 503, () => waitingPage(backend.lastLine()))
    if ('failure' in started) return refuse(request, response, 500, () => pageOf(started.failure))

    const { method, url } = request
    const headers = withoutConnection(request.rawHeaders)
    const { remoteAddress } = request.socket
    if (remoteAddress) headers.push('X-Forwarded-For', remoteAddress)
    const options = { host: '127.0.0.1', port: started.port, method, path: url, headers, agent: false }
    const outgoing = send(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, withoutConnection(answer.rawHeaders))
      response.flushHeaders()
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    outgoing.on('error', (error) => {
      if (response.headersSent) response.destroy()
      // it was replaced after we had asked for its port
      else if (isRefused(error) && method === 'GET') forward(request, response)
      else refuse(request, response, 502, () => pageOf(`The server ended while it answered (${error.message})`))
    })
    response.on('close', () => outgoing.destroy())
    request.pipe(outgoing)
  }
}

const isRefused = (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED'

/** JSON for clients that prefer it, in the form of the server's own errors. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, page: () => string) {
  const wantsJson =
    /application\/json/i.test(request.headers.accept ?? '') && !/html/i.test(request.headers.accept ?? '')
  response.statusCode = status
  response.setHeader('cache-control', 'no-cache')
  if (status === 503) response.setHeader('retry-after', '5')
  response.setHeader('content-type', `${wantsJson ? 'application/json' : 'text/html'}; charset=utf-8`)
  request.resume()
  response.end(wantsJson ? JSON.stringify({ status, error: phrases[status] }) : page())
}

const phrases: Record<number, string> = {
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
}

/** What the server wrote before it ended: its line for operators, or the error with its stack. */
function pageOf(output: string) {
  const text = output.trim()
  const message = text.split('\n').find((line) => /^\w*Error\b.*:/.test(line)) ?? text.split('\n').at(-1) ?? ''
  return errorPage(message, text)
}

/** Pairs of names and values, without those that belong to one connection. */
function withoutConnection(raw: string[]) {
  return raw.filter((_, index) => !/^(connection|keep-alive)$/i.test(raw[index - (index % 2)] ?? ''))
}
