import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { decoderLimits } from '../../features/pictures/decoder.ts'
import type { Browser } from './browser.ts'

// No answer may depend on how busy the machine is.
Object.assign(decoderLimits, { startTimeoutMs: 60_000, timeoutMs: 60_000, waitMs: 120_000 })

type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'
export const formats: Format[] = ['jpeg', 'png', 'webp', 'gif', 'avif']

const red = { r: 220, g: 20, b: 20 }
const blue = { r: 20, g: 20, b: 220 }

/** A picture with a red top half and a blue bottom half. */
export async function picture(format: Format = 'png', { width = 640, height = 480 } = {}) {
  const bottom = { create: { width, height: height / 2, channels: 3 as const, background: blue } }
  return sharp({ create: { width, height, channels: 3, background: red } })
    .composite([{ input: bottom, top: height / 2, left: 0 }])
    .toFormat(format)
    .toBuffer()
}

/** A picture of noise, which compresses badly. */
export function noise({ width = 800, height = 600, channels = 3 as 3 | 4 } = {}) {
  const bytes = Buffer.alloc(width * height * channels)
  for (let at = 0; at < bytes.length; at++) bytes[at] = Math.random() * 256
  return sharp(bytes, { raw: { width, height, channels } })
}

/** Uploads a picture of a person, or of an account, and returns the resulting page. */
export const upload = async (browser: Browser, bytes?: Buffer, url = '/settings/picture') =>
  browser.submit('PUT', url, formOf(bytes ?? (await picture())))

/** A form with the picture. Its name and type say nothing. */
export function formOf(bytes: Buffer, name = 'picture') {
  const form = new FormData()
  form.append(name, new Blob([new Uint8Array(bytes)], { type: 'text/plain' }), 'something.txt')
  return form
}

/** A PNG whose header declares this size, whatever follows. */
export async function declaring(width: number, height: number) {
  const file = await picture('png')
  file.writeUInt32BE(width, 16)
  file.writeUInt32BE(height, 20)
  file.writeUInt32BE(crc32(file.subarray(12, 29)), 29)
  return file
}
