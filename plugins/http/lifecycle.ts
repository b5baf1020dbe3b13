import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the process serves, or says farewell: what stands in front then sends new visitors elsewhere. */
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
