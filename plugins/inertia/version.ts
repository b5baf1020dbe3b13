import type { FastifyReply, FastifyRequest } from 'fastify'

/** An `onRequest` hook: a client with old assets must load the document anew, before anything of the visit has happened. */
export function refuseOldVersion(origin: string, version: () => string) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (request.method !== 'GET' || !request.inertia) return done()

    // A client that names no version has no assets that could be old.
    const named = request.headers['x-inertia-version']
    const current = version()
    if (!named || named === current) return done()

    // A request line may hold a whole address, of any host.
    const path = request.originalUrl.startsWith('/') ? request.originalUrl : '/'
    // Told the version, the client knows why, and does not reload under somebody's hands for a poll.
    reply
      .code(409)
      .header('x-inertia-version', current)
      .header('x-inertia-location', origin + path)
      .send()
  }
}
