import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { eq, sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { pictures as stored } from '../../drizzle/schema.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { paths } from '../paths.ts'
import { createDecoder, type Limits } from './decoder.ts'
import { accountPictureRoutes, ownPictureRoutes } from './routes.ts'

export type { Limits } from './decoder.ts'

export const pictures: FastifyPluginAsyncTypebox<{ decoderLimits: Limits | undefined }> = async (
  app,
  { decoderLimits },
) => {
  const decoder = createDecoder({ ...decoderLimits, warn: (about, message) => app.log.warn(about, message) })
  app.addHook('onClose', decoder.stop)
  app.register(ownPictureRoutes, { decoder })
  app.register(accountPictureRoutes, { decoder })
}

const PictureParams = Type.Object({ key: Type.String() })
const isKey = /^[\w-]{22}$/
const headers = {
  'content-type': 'image/webp',
  'cache-control': 'public, max-age=31536000, immutable',
  // A picture that is opened as a page may load and run nothing.
  'content-security-policy': "default-src 'none'; sandbox",
}

export const servePictures: FastifyPluginAsyncTypebox = async (app) => {
  const find = app.db
    .select({ bytes: stored.bytes })
    .from(stored)
    .where(eq(stored.key, sql.placeholder('key')))
    .prepare(app.db.statement('find_picture'))

  app.get(paths.picture(':key').url, { schema: { params: PictureParams } }, async (request, reply) => {
    const { key } = request.params
    const [picture] = isKey.test(key) ? await find.execute({ key }) : []
    if (!picture) throw new NotFound()
    return reply.headers(headers).send(picture.bytes)
  })
}
