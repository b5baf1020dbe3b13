import type { FastifyReply, FastifyRequest } from 'fastify'

/** An `onRequest` hook that makes clients with outdated assets reload, before the visit has any effect. */
export function refuseOldVersion(origin: string, version: () => string) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (request.method !== 'GET' || !request.inertia) return done()

    // A client that sends no version has no assets that could be outdated.
    const named = request.headers['x-inertia-version']
    const current = version()
    if (!named || named === current) return done()

    // A request line may contain an absolute URL with any host.
    const path = request.originalUrl.startsWith('/') ? request.originalUrl : '/'
    // With the version, the client knows the reason and does not reload under the user's hands because of a poll.
    reply
      .code(409)
      .header('x-inertia-version', current)
      .header('x-inertia-location', origin + path)
      .send()
  }
}
