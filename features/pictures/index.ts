import type { FastifyPluginAsync } from 'fastify'
import { once } from '../../plugins/inertia/index.ts'
import { picturePath } from '../paths.ts'
import { createDecoder } from './decoder.ts'
import { accountPictureRoutes, ownPictureRoutes } from './routes/pictures.ts'

export { servePictures } from './serve.ts'

/** Pictures of people and accounts. */
export const pictures: FastifyPluginAsync = async (app) => {
  const decoder = createDecoder({ warn: (about, message) => app.log.warn(about, message) })
  app.addHook('onClose', decoder.stop)

  // The browser keeps it until there is another one.
  app.share('picture', ({ auth }) => {
    if (!auth) return undefined
    const { picture } = auth.user
    return once(() => picturePath(picture), { key: `picture:${picture ?? ''}` })
  })

  app.register(ownPictureRoutes, { decoder })
  app.register(accountPictureRoutes, { decoder })
}
