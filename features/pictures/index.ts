import type { FastifyPluginAsync } from 'fastify'
import { createDecoder } from './decoder.ts'
import { accountPictureRoutes, ownPictureRoutes } from './routes/pictures.ts'

export { servePictures } from './serve.ts'

/** Pictures of people and accounts. */
export const pictures: FastifyPluginAsync = async (app) => {
  const decoder = createDecoder({ warn: (about, message) => app.log.warn(about, message) })
  app.addHook('onClose', decoder.stop)

  app.register(ownPictureRoutes, { decoder })
  app.register(accountPictureRoutes, { decoder })
}
