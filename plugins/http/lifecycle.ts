import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** `closing` is true once shutdown has begun, so that the health check can steer the load balancer away. */
    lifecycle: { closing: boolean }
  }
}

export default fp(
  async (app) => {
    const lifecycle = { closing: false }
    app.decorate('lifecycle', lifecycle)
    app.addHook('preClose', async () => {
      lifecycle.closing = true
    })
  },
  { name: 'lifecycle' },
)
