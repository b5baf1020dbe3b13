import sharp from 'sharp'

type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'
export const formats: Format[] = ['jpeg', 'png', 'webp', 'gif', 'avif']

const [red, blue] = [
  { r: 220, g: 20, b: 20 },
  { r: 20, g: 20, b: 220 },
]

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

/** A form with the picture. Its name and type say nothing. */
export function formOf(bytes: Buffer, name = 'picture') {
  const form = new FormData()
  form.append(name, new Blob([new Uint8Array(bytes)], { type: 'text/plain' }), 'something.txt')
  return form
}

/** A PNG of these chunks, whose header declares this size. */
export function png(size: { width: number; height: number }, ...chunks: [type: string, content: Buffer][]) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size.width, 0)
  header.writeUInt32BE(size.height, 4)
  header.set([8, 2], 8) // eight bits of red, green and blue
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    ...[['IHDR', header] as const, ...chunks, ['IEND', Buffer.alloc(0)] as const].map(chunk),
  ])
}

function chunk([type, content]: readonly [type: string, content: Buffer]) {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length)
  head.write(type, 4, 'latin1')
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc(Buffer.concat([head.subarray(4), content])))
  return Buffer.concat([head, content, check])
}

/** As PNG has it (RFC 2083, 15). */
function crc(bytes: Buffer) {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}
