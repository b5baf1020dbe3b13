import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** The time used to expire tokens, invitations and sessions. Tests pass in a clock that they can move. */
    now(): Date
  }
}

export default fp<{ now: () => Date }>(async (app, { now }) => app.decorate('now', now), { name: 'clock' })
