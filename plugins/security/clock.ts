import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** The time by which tokens, invitations and sessions are judged. Tests hand in a clock that they can move. */
    now(): Date
  }
}

export default fp<{ now: () => Date }>(async (app, { now }) => app.decorate('now', now), { name: 'clock' })
