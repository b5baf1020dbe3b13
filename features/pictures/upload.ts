import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { Invalid } from '../../plugins/forms/index.ts'
import { acceptUpload, Upload } from '../../plugins/http/uploads.ts'
import { text } from '../../plugins/languages/index.ts'
import { budget } from '../../plugins/security/limits/index.ts'
import type { Decoder } from './decoder.ts'

const maxFileBytes = 8_000_000
// Beyond it, nobody reads on to say in words that the file is too large.
const maxBodyBytes = 8_388_608 + 65_536

/** A file, or anything else, which is as blank as nothing. */
export const PictureBody = Type.Object({ picture: Type.Optional(Type.Unknown()) })

const messages = {
  blank: text("can't be blank"),
  large: text('is too large (maximum is 8 MB)'),
  unreadable: text('is not a picture we can read'),
  too_many_pixels: text('has too many pixels'),
}

/** Accepts forms with a picture in the routes of this plugin. Returns what the route of the upload needs. */
export function acceptPicture(app: FastifyInstance, { requireRoom }: Decoder) {
  acceptUpload(app, { field: 'picture', maxFileBytes, maxBodyBytes })
  return {
    config: { maxUploadBytes: maxBodyBytes, rateLimit: budget('picture') },
    preParsing: async () => requireRoom(),
  }
}

/** The picture as it is stored. Throws Invalid or Unavailable. */
export async function checkPicture({ decode }: Decoder, { picture }: { picture?: unknown }) {
  if (!(picture instanceof Upload) || picture.bytes.length === 0) throw refusal('blank')
  if (picture.isTooLarge) throw refusal('large')
  const decoded = await decode(picture.bytes)
  if (typeof decoded === 'string') throw refusal(decoded)
  return Buffer.from(decoded.bytes)
}

const refusal = (reason: keyof typeof messages) => new Invalid({ picture: [messages[reason]] })
