import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

/** Leads to the 404 page, the same bytes for what is missing and for what is somebody else's. */
export class NotFound extends Error {
  readonly statusCode = 404
}

/** A required parameter is absent: 400, as JSON whatever the client prefers. */
export class MissingParameter extends Error {
  readonly statusCode = 400
  readonly alwaysJson = true
}

/** Nothing is wrong but that too much is asked for at once. */
export class Unavailable extends Error {
  readonly statusCode = 503
  /** Seconds after which it is worth another try. */
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('too much is asked for at once')
    this.retryAfter = retryAfter
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    sendError(reply: FastifyReply, status: number, options?: { json?: boolean | undefined }): FastifyReply
  }
  interface FastifyReply {
    /** The error page of a status, or its JSON for a client that prefers that. */
    sendError(status: number, options?: { json?: boolean | undefined }): FastifyReply
  }
}

type Options = { pages: URL }

/** One error handler and one not-found handler for the whole application. `pages` is the folder of the static error pages. */
export default fp<Options>(
  async (app, { pages }) => {
    const page = (name: string) => readFileSync(new URL(`${name}.html`, pages), 'utf8')
    const byStatus: Record<number, string> = {
      404: page('404'),
      406: page('406-unsupported-browser'),
      422: page('422'),
      500: page('500'),
    }
    const badRequest = page('400')

    app.decorate('sendError', (reply, status, { json = false } = {}) => {
      reply.code(status).header('cache-control', 'no-cache')
      if (json || (status !== 406 && prefersJson(reply.request.headers.accept))) {
        return reply.type('application/json; charset=utf-8').send({ status, error: phraseOf(status) })
      }
      const fallback = status >= 500 ? byStatus[500] : badRequest
      return reply.type('text/html; charset=utf-8').send(byStatus[status] ?? fallback)
    })
    app.decorateReply('sendError', function (status, options) {
      return app.sendError(this, status, options)
    })

    app.setNotFoundHandler((_request, reply) => reply.sendError(404))

    app.setErrorHandler(
      (error: Error & { statusCode?: number; code?: string; alwaysJson?: boolean }, request, reply) => {
        const status = statusOf(error)
        if (error instanceof Unavailable) {
          request.log.warn(error.message) // under an attack a stack each time would be one more burden
          reply.header('retry-after', error.retryAfter)
        } else if (status >= 500) request.log.error({ err: error }, 'request failed')
        return reply.sendError(status, { json: error.alwaysJson })
      },
    )
  },
  { name: 'errors' },
)

/** Answers what Fastify refuses before any hook runs: an address that cannot be decoded, or a segment of absurd length. */
export function answerUnroutable(_error: Error, { server }: FastifyRequest, reply: FastifyReply) {
  server.setSecurityHeaders(reply)
  server.sendError(reply, 404)
}

// RFC 9110 renamed 422; Node keeps the older phrase.
const phraseOf = (status: number) => (status === 422 ? 'Unprocessable Content' : STATUS_CODES[status])

const statusOf = ({ statusCode = 500, code }: { statusCode?: number; code?: string }) => {
  if (code === 'FST_ERR_HANDLER_TIMEOUT') return 408
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
