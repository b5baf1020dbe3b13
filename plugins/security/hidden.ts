import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Throws NotFound for those to whom this route must look like an unknown address. */
    hideFromOthers?(request: FastifyRequest, reply: FastifyReply): Promise<void>
  }
}

/** Comes before everything that answers differently where there is a route, such as the check of CSRF tokens. */
export default fp(
  async (app) => {
    app.addHook('onRequest', async (request, reply) => request.routeOptions.config.hideFromOthers?.(request, reply))
  },
  { name: 'hidden', dependencies: ['cookies'] },
)
