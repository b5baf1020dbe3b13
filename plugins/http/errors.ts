import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { html } from 'ghtml'
import { isLate, isReadOnly } from '../database/index.ts'
import { appendVary } from '../inertia/redirects.ts'
import { type Catalog, text, translateHtml } from '../languages/index.ts'
import { translate } from '../languages/translate.ts'

/** Answered with the 404 page. Records that do not exist and records of someone else get exactly the same bytes. */
export class NotFound extends Error {
  readonly statusCode = 404
}

/** A required parameter is missing. Answered with 400, always as JSON. */
export class MissingParameter extends Error {
  readonly statusCode = 400
  readonly alwaysJson = true
}

/** Something the response needs is unavailable for the moment. Answered with 503 and Retry-After. */
export class Unavailable extends Error {
  readonly statusCode = 503
}

type Answer = { json?: boolean | undefined; message?: string | undefined }

declare module 'fastify' {
  interface FastifyInstance {
    /** That of an error of ours says which request it was. */
    errorPage(status: number, language: Catalog, request?: { id: string }): string
  }
  interface FastifyRequest {
    fault: unknown
    /** Errors are JSON, whatever the client accepts. */
    jsonOnly?: boolean
  }
  interface FastifyReply {
    /** Sends the error page for a status, or JSON if the client prefers it. */
    sendError(status: number, answer?: Answer): FastifyReply
  }
}

type Failure = Error & { statusCode?: number; alwaysJson?: boolean; publicMessage?: string; retryAfter?: number }

/** One error handler and one not-found handler for the whole application. */
export default fp<{ support: string | undefined }>(
  async (app, { support }) => {
    app.decorateRequest('fault', undefined)
    app.decorate('errorPage', readErrorPages([...app.languages.values()], support))
    app.decorateReply('sendError', function (status, answer) {
      return sendError(this, status, answer)
    })

    app.setNotFoundHandler((_request, reply) => reply.sendError(404))
    app.setErrorHandler((error: Failure, request, reply) => {
      // A malformed body that nobody reads must not turn a 404 into a 400.
      const status = request.is404 ? 404 : isLate(error) || isReadOnly(error) ? 503 : statusOf(error)
      if (status >= 500) request.fault = error
      if (error.retryAfter) reply.header('retry-after', error.retryAfter)
      return reply.sendError(status, { json: error.alwaysJson, message: error.publicMessage })
    })
  },
  { name: 'errors', dependencies: ['languages'] },
)

const names: Record<number, string> = { 404: '404', 406: '406-unsupported-browser', 422: '422', 431: '431' }
const nameOf = (status: number) => names[status] ?? (status >= 500 ? '500' : '400')

/** The static error pages, in all languages. They need no script, and are there when nothing else is. */
function readErrorPages(languages: Catalog[], support: string | undefined) {
  const pages = new Map<string, string>()
  for (const name of ['400', '500', ...Object.values(names)]) {
    const page = readFileSync(new URL(`../../pages/public/${name}.html`, import.meta.url), 'utf8')
    for (const language of languages) {
      pages.set(`${name} ${language.tag}`, language.tag === 'en' ? page : translateHtml(page, language))
    }
  }
  return (status: number, language: Catalog, request?: { id: string }) => {
    const page = pages.get(`${nameOf(status)} ${language.tag}`) as string
    if (status < 500) return page
    const link = support ? html`<a class="other" href="${support}">${translate(language, contact.text)}</a>` : ''
    const id = request ? html`<p class="reference">${translate(language, reference.text, request)}</p>` : ''
    return page.replace('</main>', () => `${link}${id}</main>`)
  }
}

const contact = text('Contact support')
const reference = text('Reference: {id}', { id: '' })

function sendError(reply: FastifyReply, status: number, { json = false, message }: Answer = {}) {
  const { request } = reply
  appendVary(reply.code(status), 'X-Inertia').header('cache-control', 'no-cache') // for those outside of its hooks, too
  if (status === 503) reply.header('retry-after', 5) // seconds, in which a full queue drains
  if (json || request.jsonOnly || (status !== 406 && prefersJson(request.headers.accept))) {
    return reply.type('application/json; charset=utf-8').send({ status, error: phraseOf(status), message })
  }
  return reply
    .type('text/html; charset=utf-8')
    .send(request.server.errorPage(status, request.language, { id: request.id }))
}

// RFC 9110 renamed 422, and Node still uses the old phrase.
export const phraseOf = (status: number) => (status === 422 ? 'Unprocessable Content' : STATUS_CODES[status])

const statusOf = ({ statusCode = 500 }: { statusCode?: number }) => {
  if (statusCode === 415) return 400 // an unsupported content type counts as a malformed body
  return statusCode >= 400 && statusCode < 600 ? statusCode : 500
}

/** Whether application/json ranks above text/html. A wildcard ranks them equally, and HTML wins a tie. */
export function prefersJson(accept: string | undefined) {
  if (!accept || !/application\//i.test(accept)) return false
  return quality(accept, 'application/json') > quality(accept, 'text/html')
}

/** Whether a page answers it best. True without the header, and for a wildcard. */
export const prefersHtml = (accept = '*/*') => quality(accept, 'text/html') > 0 && !prefersJson(accept)

const maxAcceptLength = 1_000 // characters of an Accept header, of which browsers send 200

// The most specific matching range decides (RFC 9110, 12.5.1).
function quality(accept: string, type: string) {
  const ranges = new Map(accept.slice(0, maxAcceptLength).split(',').map(parseRange))
  return ranges.get(type) ?? ranges.get(`${type.slice(0, type.indexOf('/'))}/*`) ?? ranges.get('*/*') ?? 0
}

function parseRange(range: string): [string, number] {
  const [type = '', ...parameters] = range.toLowerCase().split(';')
  const q = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
  return [type.trim(), q ? Number(q) : 1]
}
