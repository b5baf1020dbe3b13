import type { FastifyReply, onRequestHookHandler } from 'fastify'

/** An `onRequest` hook that makes clients with outdated assets reload, before the visit has any effect. */
export function refuseOldVersion(origin: string, version: string): onRequestHookHandler {
  return (request, reply, done) => {
    if (request.method !== 'GET' || !request.inertia) return done()

    // A client that sends no version has no assets that could be outdated.
    const named = request.headers['x-inertia-version']
    if (!named || named === version) return done()

    // With the version, the client knows the reason and does not reload under the user's hands because of a poll.
    reloadDocument(reply.header('x-inertia-version', version), origin)
  }
}

/** Makes the client load the whole document of the visited address. */
export function reloadDocument(reply: FastifyReply, origin: string) {
  // A request line may contain an absolute URL with any host.
  const { originalUrl } = reply.request
  const path = originalUrl.startsWith('/') ? originalUrl : '/'
  return reply
    .code(409)
    .header('x-inertia-location', origin + path)
    .send()
}
