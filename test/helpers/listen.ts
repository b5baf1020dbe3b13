import type { FastifyInstance } from 'fastify'

/** Listens on a free port, for what `inject` does not support, such as streams and late bodies. */
export const listen = (app: FastifyInstance) => app.listen({ port: 0, host: '127.0.0.1' })
