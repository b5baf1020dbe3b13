import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isLate } from '../database/index.ts'

/** Leads to the 404 page, the same bytes for what is missing and for what is somebody else's. */
export class NotFound extends Error {
  readonly statusCode = 404
}

/** A required parameter is absent: 400, as JSON whatever the client prefers. */
export class MissingParameter extends Error {
  readonly statusCode = 400
  readonly alwaysJson = true
}

/** What the answer needs cannot be had now, and may be there in a moment: 503, with Retry-After. */
export class Unavailable extends Error {
  readonly statusCode = 503
  /** Seconds. */
  readonly retryAfter: number

  constructor(message: string, { retryAfter = soon, cause }: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.retryAfter = retryAfter
  }
}

const soon = 5 // seconds

type Answer = {
  /** JSON, whatever the client prefers. */
  json?: boolean | undefined
  /** What the JSON says besides the reason phrase. */
  message?: string | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The static page of a status. */
    errorPage(status: number): string
    sendError(reply: FastifyReply, status: number, answer?: Answer): FastifyReply
  }
  interface FastifyRequest {
    /** What a request ended in, if it was our fault: the line of the request tells it. */
    fault: unknown
  }
  interface FastifyReply {
    /** The error page of a status, or its JSON for a client that prefers that. */
    sendError(status: number, answer?: Answer): FastifyReply
  }
}

type Failure = Error & { statusCode?: number; alwaysJson?: boolean; publicMessage?: string; retryAfter?: number }
type Options = { pages: URL }

/** One error handler and one not-found handler for the whole application. `pages` is the folder of the static error pages. */
export default fp<Options>(
  async (app, { pages }) => {
    const page = (name: string) => readFileSync(new URL(`${name}.html`, pages), 'utf8')
    const byStatus: Record<number, string> = {
      404: page('404'),
      406: page('406-unsupported-browser'),
      422: page('422'),
    }
    const badRequest = page('400')
    const internalError = page('500')

    app.decorateRequest('fault', undefined)
    app.decorate('errorPage', (status) => byStatus[status] ?? (status >= 500 ? internalError : badRequest))
    app.decorate('sendError', (reply, status, { json = false, message } = {}) => {
      reply.code(status).header('cache-control', 'no-cache')
      if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', soon)
      if (json || (status !== 406 && prefersJson(reply.request.headers.accept))) {
        return reply.type('application/json; charset=utf-8').send({ status, error: phraseOf(status), message })
      }
      return reply.type('text/html; charset=utf-8').send(app.errorPage(status))
    })
    app.decorateReply('sendError', function (status, answer) {
      return app.sendError(this, status, answer)
    })

    app.setNotFoundHandler((_request, reply) => reply.sendError(404))

    app.setErrorHandler((error: Failure, request, reply) => {
      const status = isLate(error) ? 503 : statusOf(error)
      if (status >= 500) request.fault = error
      if (error.retryAfter) reply.header('retry-after', error.retryAfter)
      return reply.sendError(status, { json: error.alwaysJson, message: error.publicMessage })
    })
  },
  { name: 'errors' },
)

/** Answers what Fastify refuses before any hook runs: an address that cannot be decoded, or a segment of absurd length. */
export function answerUnroutable(_error: Error, request: FastifyRequest, reply: FastifyReply) {
  const { server } = request
  server.setSecurityHeaders(reply)
  server.timeResponse(request, reply)
  server.sendError(reply, 404)
  server.logRequest(request, reply)
}

// RFC 9110 renamed 422; Node keeps the older phrase.
const phraseOf = (status: number) => (status === 422 ? 'Unprocessable Content' : STATUS_CODES[status])

const statusOf = ({ statusCode = 500 }: { statusCode?: number }) => {
  if (statusCode === 415) return 400 // a body of a kind that nobody here reads is a malformed body
  return statusCode >= 400 && statusCode < 600 ? statusCode : 500
}

/** Whether application/json ranks above text/html; a wildcard ranks both alike, and then HTML wins. */
export function prefersJson(accept: string | undefined) {
  return accept?.includes('application/') ? quality(accept, 'application/json') > quality(accept, 'text/html') : false
}

// RFC 9110, 12.5.1: the most specific range that matches decides.
function quality(accept: string, type: string) {
  const ranges = new Map(accept.split(',').map((range) => parseRange(range)))
  return ranges.get(type) ?? ranges.get(`${type.slice(0, type.indexOf('/'))}/*`) ?? ranges.get('*/*') ?? 0
}

function parseRange(range: string): [string, number] {
  const [type = '', ...parameters] = range.toLowerCase().split(';')
  const q = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
  return [type.trim(), q ? Number(q) : 1]
}
