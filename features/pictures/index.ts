import type { FastifyPluginAsync } from 'fastify'
import { createDecoder, type Limits } from './decoder.ts'
import { accountPictureRoutes, ownPictureRoutes } from './routes/pictures.ts'

export type { Limits } from './decoder.ts'
export { servePictures } from './serve.ts'

/** Pictures of people and accounts. */
export const pictures: FastifyPluginAsync<{ decoderLimits: Limits | undefined }> = async (app, { decoderLimits }) => {
  const decoder = createDecoder({ ...decoderLimits, warn: (about, message) => app.log.warn(about, message) })
  app.addHook('onClose', decoder.stop)

  app.register(ownPictureRoutes, { decoder })
  app.register(accountPictureRoutes, { decoder })
}
