import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    lifecycle: {
      /** True once shutdown has begun, so that the health check can steer the load balancer away. */
      closing: boolean
    }
  }
}

export default fp(
  async (app) => {
    const lifecycle = { closing: false }
    app.decorate('lifecycle', lifecycle)
    app.addHook('onSend', (_request, reply, _payload, done) => {
      // A connection that stays open would hold up the shutdown.
      if (lifecycle.closing) reply.header('connection', 'close')
      done()
    })
    app.addHook('preClose', async () => {
      lifecycle.closing = true
    })
  },
  { name: 'lifecycle' },
)
