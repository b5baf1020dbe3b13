import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    lifecycle: {
      /** True once shutdown has begun, so that the health check can steer the load balancer away. */
      closing: boolean
      /** From then on, ends the connection with its response: one that stays open would hold up the shutdown. */
      endConnection(reply: FastifyReply): void
    }
  }
}

export default fp(
  async (app) => {
    const lifecycle = {
      closing: false,
      endConnection(reply: FastifyReply) {
        if (lifecycle.closing) reply.header('connection', 'close')
      },
    }
    app.decorate('lifecycle', lifecycle)
    app.addHook('onSend', (_request, reply, _payload, done) => {
      lifecycle.endConnection(reply)
      done()
    })
    app.addHook('preClose', async () => {
      lifecycle.closing = true
    })
  },
  { name: 'lifecycle' },
)
