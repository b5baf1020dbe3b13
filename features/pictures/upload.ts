import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Invalid } from '../../plugins/forms/index.ts'
import { acceptUpload } from '../../plugins/http/uploads.ts'
import { type Text, text } from '../../plugins/languages/index.ts'
import { budget, clientKey, take } from '../../plugins/security/limits/index.ts'
import type { Decoder } from './decoder.ts'
import type { NewPicture } from './pictures.ts'

const maxFileBytes = 8_000_000
// Beyond it, nobody reads on to say in words that the file is too large.
const maxBodyBytes = 8_388_608 + 65_536

/** A file, or anything else, which is as blank as nothing. */
const PictureBody = Type.Object({ picture: Type.Optional(Type.Unknown()) })

const messages = {
  blank: text("can't be blank"),
  large: text('is too large (maximum is 8 MB)'),
  unreadable: text('is not a picture we can read'),
  too_many_pixels: text('has too many pixels'),
}

type Routes = {
  url: string
  form(request: FastifyRequest): string
  removalBudget: ReturnType<typeof budget>
  change(request: FastifyRequest, picture: NewPicture): Promise<void>
  updated: Text
  removed: Text
}

/** Upload and removal of a picture. */
export function addPictureRoutes(app: FastifyInstance, { decode, requireRoom }: Decoder, routes: Routes) {
  const { url, form, removalBudget, change, updated, removed } = routes
  acceptUpload(app, { field: 'picture', maxBodyBytes })
  const upload = {
    schema: { body: PictureBody },
    config: { form, rateLimit: budget('picture') },
    // Refuse before reading the upload.
    onRequest: async (request: FastifyRequest) => {
      requireRoom(request.signedIn.user.id)
      await take(app.db, 'picture_client', clientKey(request))
    },
  }
  app.put<{ Body: { picture?: unknown } }>(url, upload, async (request, reply) => {
    const { id: userId } = request.signedIn.user
    await change(request, await checkPicture((bytes) => decode(bytes, userId), request.body.picture))
    return reply.notice(updated).redirect(form(request))
  })
  app.delete(url, { config: { form, rateLimit: removalBudget } }, async (request, reply) => {
    await change(request, null)
    return reply.notice(removed).redirect(form(request))
  })
}

/** The picture as it is stored. Throws Invalid or Unavailable. */
async function checkPicture(decode: (bytes: Buffer) => ReturnType<Decoder['decode']>, picture: unknown) {
  if (!Buffer.isBuffer(picture) || picture.length === 0) throw refusal('blank')
  if (picture.length > maxFileBytes) throw refusal('large')
  const decoded = await decode(picture)
  if (typeof decoded === 'string') throw refusal(decoded)
  return Buffer.from(decoded.bytes)
}

const refusal = (reason: keyof typeof messages) => new Invalid({ picture: [messages[reason]] })
