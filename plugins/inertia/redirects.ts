import type { FastifyReply, FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify'
import { isPrefetch } from './visit.ts'

/**
 * Turns redirects into ones that an XHR can follow. Browsers keep responses by address, and must not show that of a
 * visit to someone who goes back.
 */
export function followable(origin: string): onSendHookHandler {
  return (request, reply, payload, done) => {
    appendVary(reply, 'X-Inertia')
    const location = redirects.has(reply.statusCode) ? reply.getHeader('location') : undefined
    if (location !== undefined && request.inertia) adapt(request, reply, String(location), origin)

    // A 201 may have both a Location and a body.
    const isEmpty = location !== undefined && reply.statusCode !== 201
    if (isEmpty) reply.header('content-type', 'text/html; charset=utf-8').header('cache-control', 'no-cache')
    if (reply.statusCode === 409) reply.header('cache-control', 'no-store')
    done(null, isEmpty ? '' : payload)
  }
}

const redirects = new Set([201, 301, 302, 303, 307, 308])

function adapt(request: FastifyRequest, reply: FastifyReply, location: string, origin: string) {
  const target = URL.parse(location, origin)

  if (target && isOutside(target, request, origin)) {
    // An XHR must not follow a redirect to another origin, and would send our headers there.
    reply.code(409).removeHeader('location').header('x-inertia-location', location)
  } else if (target?.hash && !isPrefetch(request)) {
    // An XHR would follow the redirect but lose the fragment.
    reply.code(409).removeHeader('location').header('x-inertia-redirect', location)
  } else if (repeated.has(request.method) && (reply.statusCode === 301 || reply.statusCode === 302)) {
    reply.code(303)
  }
}

// After a 301 or 302, browsers turn only POST into GET. They would repeat these methods at the new URL.
const repeated = new Set(['PUT', 'PATCH', 'DELETE'])

const isOutside = (target: URL, request: FastifyRequest, origin: string) =>
  target.origin !== origin && target.origin !== URL.parse(`${request.protocol}://${request.host}`)?.origin

/** Adds a field to `Vary` and keeps the existing ones. */
export function appendVary(reply: FastifyReply, field: string) {
  const vary = String(reply.getHeader('vary') ?? '')
  const named = vary.toLowerCase().split(/\s*,\s*/)
  if (named.includes('*') || named.includes(field.toLowerCase())) return reply
  return reply.header('vary', vary ? `${vary}, ${field}` : field)
}

/** Makes clients with outdated assets reload, before the visit has any effect. */
export function refuseOldVersion(origin: string, version: string): onRequestHookHandler {
  return (request, reply, done) => {
    if (request.method !== 'GET' || !request.inertia) return done()

    const named = request.headers['x-inertia-version']
    if (!named || named === version) return done()

    // With the version, the client knows the reason and does not reload under the user's hands because of a poll.
    reloadDocument(reply.header('x-inertia-version', version), origin)
  }
}

export function reloadDocument(reply: FastifyReply, origin: string) {
  // A request line may contain an absolute URL with any host.
  const { originalUrl } = reply.request
  const path = originalUrl.startsWith('/') ? originalUrl : '/'
  return reply
    .code(409)
    .header('x-inertia-location', origin + path)
    .send()
}
