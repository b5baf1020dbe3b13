import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { prefersJson } from './errors.ts'
import type { Errors } from './inertia/pages.ts'
import { TooManyRequests } from './rate-limit.ts'

/** Input that breaks the rules; leads back to the form with its messages. */
export class Invalid extends Error {
  readonly statusCode = 422
  readonly errors: Errors

  constructor(errors: Errors) {
    super('the input is not valid')
    this.errors = errors
  }
}

/** Throws Invalid with the fields that have messages, if any has. */
export function refuse(messages: Errors) {
  const errors = Object.fromEntries(Object.entries(messages).filter(([, list]) => list.length > 0))
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The address of the form that a route answers. */
    form?: string | ((request: FastifyRequest) => string)
  }
}

type Options = { origin: string }

/** What a browser sees of a refused form: the form again, with messages or an alert. Everything else goes on to the error pages. */
export default fp<Options>(
  async (app, { origin }) => {
    // Query and body are one set of parameters, in which the body wins.
    app.addHook('preValidation', async (request, reply) => {
      if (request.method === 'GET' || request.method === 'HEAD') return
      const body = request.body === undefined ? {} : request.body
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return reply.sendError(400)
      request.body = { ...(request.query as object), ...body }
    })

    app.setErrorHandler((error, request, reply) => {
      if (error instanceof Invalid) {
        if (request.precognitive) return reply.precognize(error.errors)
        return reply.carry({ errors: error.errors }).redirect(formOf(request))
      }
      if (error instanceof TooManyRequests && !prefersJson(request.headers.accept)) {
        return reply.alert('Try again later.').redirect(refererOf(request, origin) ?? formOf(request))
      }
      throw error
    })
  },
  { name: 'forms', dependencies: ['errors', 'flash', 'precognition', 'rate-limit'] },
)

function formOf(request: FastifyRequest) {
  const { form } = request.routeOptions.config
  return typeof form === 'function' ? form(request) : (form ?? '/')
}

/** Path and query of a Referer on our own origin; never anything that leads elsewhere. */
export function refererOf(request: FastifyRequest, origin: string) {
  const { referer } = request.headers
  if (!referer || !URL.canParse(referer)) return undefined
  const { origin: from, pathname, search } = new URL(referer)
  // `//evil.example` and `/\evil.example` are paths here but addresses of another host to a browser, also once decoded.
  if (from !== origin || /^\/(?:[/\\]|%5c|%2f)/i.test(pathname)) return undefined
  return pathname + search
}

/** Redirects to the page that the request came from, or else to `fallback`. */
export const backOr = (request: FastifyRequest, reply: FastifyReply, origin: string, fallback: string) =>
  reply.redirect(refererOf(request, origin) ?? fallback)
