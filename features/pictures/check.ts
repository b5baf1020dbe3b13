import { Invalid } from '../../plugins/forms/index.ts'
import { Upload } from '../../plugins/http/uploads.ts'
import { text } from '../../plugins/languages/index.ts'
import type { Decoded, Refusal } from './decoded.ts'

export const maxFileBytes = 8_000_000
/** Beyond it, nobody reads on to say in words that the file is too large. */
export const maxBodyBytes = 8_388_608 + 65_536

type Decoder = { decode(picture: Buffer): Promise<Decoded | Refusal> }

const messages = {
  blank: text("can't be blank"),
  large: text('is too large (maximum is 8 MB)'),
  unreadable: text('is not a picture we can read'),
  too_many_pixels: text('has too many pixels'),
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
