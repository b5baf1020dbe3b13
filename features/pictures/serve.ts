import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { eq, sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { pictures } from '../../drizzle/schema.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { paths } from '../paths.ts'

const PictureParams = Type.Object({ key: Type.String() })
const isKey = /^[\w-]{22}$/
const headers = {
  'content-type': 'image/webp',
  'cache-control': 'public, max-age=31536000, immutable',
  // Opened by itself, a picture may do nothing at all.
  'content-security-policy': "default-src 'none'; sandbox",
}

/** Stored pictures, for everyone who knows the key. */
export const servePictures: FastifyPluginAsyncTypebox = async (app) => {
  const find = app.db
    .select({ bytes: pictures.bytes })
    .from(pictures)
    .where(eq(pictures.key, sql.placeholder('key')))
    .prepare(app.db.statement('find_picture'))

  app.get(paths.picture(':key').url, { schema: { params: PictureParams } }, async (request, reply) => {
    const { key } = request.params
    const [picture] = isKey.test(key) ? await find.execute({ key }) : []
    if (!picture) throw new NotFound()
    return reply.headers(headers).send(picture.bytes)
  })
}
