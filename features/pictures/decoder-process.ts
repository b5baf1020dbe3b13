import sharp, { type Sharp } from 'sharp'

// Decodes pictures of strangers in a process of its own. It has no environment, reads only its own code and writes no
// files. A picture that crashes it ends nothing else.

export type Decoded = { bytes: Uint8Array } | 'unreadable' | 'too_many_pixels'

const maxMemoryBytes = 512 * 1_048_576
const maxPixels = 16e6
const maxJpegPixels = 50e6 // these shrink while they are read
const side = 256
const maxBytes = 40_000
const qualities = [80, 60, 40, 20]

const formats = {
  jpeg: /^ffd8ff/,
  png: /^89504e470d0a1a0a/,
  gif: /^47494638(37|39)61/,
  webp: /^52494646.{8}57454250/,
  avif: /^.{8}66747970(61766966|61766973|6d696631|6d736631)/, // ftyp: avif, avis, mif1, msf1
}

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}`),
})

process.on('message', async (picture: Uint8Array) => {
  const watch = setInterval(terminateOverLimit, 5)
  const answer = await decode(Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength))
  clearInterval(watch)
  process.send?.(answer)
})
// Signals are meant for the server, which lets requests finish. This process ends with the server.
process.on('SIGINT', () => {}).on('SIGTERM', () => {})
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.send?.('ready')

function terminateOverLimit() {
  if (process.memoryUsage.rss() > maxMemoryBytes) process.kill(process.pid, 'SIGKILL')
}

async function decode(picture: Buffer): Promise<Decoded> {
  const beginning = picture.toString('hex', 0, 16)
  if (!Object.values(formats).some((format) => format.test(beginning))) return 'unreadable'
  const limit = formats.jpeg.test(beginning) ? maxJpegPixels : maxPixels
  try {
    // Reads the header only.
    const { width, height } = await sharp(picture, { limitInputPixels: false }).metadata()
    if (width * height > limit) return 'too_many_pixels'
    const upright = sharp(picture, { failOn: 'error', limitInputPixels: limit, sequentialRead: true }).autoOrient()
    const square = await upright.resize(side, side, { fit: 'cover' }).png({ compressionLevel: 0 }).toBuffer()
    return { bytes: await compress(sharp(square)) }
  } catch {
    return 'unreadable'
  }
}

/** Most pictures take one try. Partly transparent noise takes all of them. */
async function compress(square: Sharp) {
  for (const quality of qualities) {
    const bytes = await square.clone().webp({ quality, alphaQuality: quality }).toBuffer()
    if (bytes.length <= maxBytes) return bytes
  }
  return square.flatten({ background: 'white' }).webp({ quality: 20 }).toBuffer()
}
