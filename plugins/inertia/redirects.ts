import type { FastifyReply, FastifyRequest } from 'fastify'
import { isPrefetch } from './visit.ts'

/** Sends the browser to an address that answers no page: another site, a file. */
export function redirectOutside(reply: FastifyReply, url: string) {
  return reply.request.inertia ? reply.code(409).header('x-inertia-location', url).send() : reply.redirect(url, 302)
}

/** An `onSend` hook that turns redirects into what the browser can follow from inside an XHR. */
export function followable(origin: string) {
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ) => {
    const location = redirects.has(reply.statusCode) ? reply.getHeader('location') : undefined
    if (location === undefined) return done(null, payload)

    if (request.inertia) adapt(request, reply, String(location), origin)
    // A 201 may well say where the new thing is, and what it is.
    if (reply.statusCode === 201) return done(null, payload)

    reply.header('content-type', 'text/html; charset=utf-8').header('cache-control', 'no-cache')
    done(null, '')
  }
}

const redirects = new Set([201, 301, 302, 303, 307, 308])

function adapt(request: FastifyRequest, reply: FastifyReply, location: string, origin: string) {
  const target = URL.parse(location, origin)

  if (target && isOutside(target, request, origin)) {
    // The XHR may not follow to another origin, and would ask it with all of our headers.
    reply.code(409).removeHeader('location').header('x-inertia-location', location)
  } else if (target?.hash && !isPrefetch(request)) {
    // The XHR follows, but loses the fragment.
    reply.code(409).removeHeader('location').header('x-inertia-redirect', location)
  } else if (repeated.has(request.method) && (reply.statusCode === 301 || reply.statusCode === 302)) {
    reply.code(303)
  }
}

// Browsers turn only POST into GET after a 302, and would repeat these on the new address.
const repeated = new Set(['PUT', 'PATCH', 'DELETE'])

const isOutside = (target: URL, request: FastifyRequest, origin: string) =>
  target.origin !== origin && target.origin !== URL.parse(`${request.protocol}://${request.host}`)?.origin
