export type Square = { x: number; y: number; zoom: number }
type Picture = Pick<ImageBitmap, 'width' | 'height'>

export const maxZoom = 5
const sentSide = 512 // pixels, twice what is shown, so that the server loses nothing
const white = '#fff'

export const centred = ({ width, height }: Picture): Square => ({ x: width / 2, y: height / 2, zoom: 1 })

export const sideOf = ({ width, height }: Picture, { zoom }: Square) => Math.min(width, height) / zoom

export function within(picture: Picture, { x, y, zoom }: Square): Square {
  const bounded = { x, y, zoom: Math.min(Math.max(zoom, 1), maxZoom) }
  const half = sideOf(picture, bounded) / 2
  return {
    ...bounded,
    x: Math.min(Math.max(x, half), picture.width - half),
    y: Math.min(Math.max(y, half), picture.height - half),
  }
}

export function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, square: Square, background?: string) {
  const { width, height } = canvas
  const context = canvas.getContext('2d')
  if (!context) return
  const side = sideOf(picture, square)
  context.clearRect(0, 0, width, height)
  if (background) {
    context.fillStyle = background
    context.fillRect(0, 0, width, height)
  }
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, square.x - side / 2, square.y - side / 2, side, side, 0, 0, width, height)
}

/** The square as a small file, so that a phone on a train has little to send. */
export async function fileOf(picture: ImageBitmap, square: Square) {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = Math.round(Math.min(sentSide, sideOf(picture, square)))
  draw(canvas, picture, square)
  const webp = await blobOf(canvas, 'image/webp')
  if (webp.type === 'image/webp') return asFile(webp)
  // Safari writes no WebP, but PNG instead, which is large for photos.
  if (isTransparent(canvas)) return asFile(webp)
  draw(canvas, picture, square, white)
  return asFile(await blobOf(canvas, 'image/jpeg'))
}

const asFile = (blob: Blob) => new File([blob], 'picture', { type: blob.type })

function blobOf(canvas: HTMLCanvasElement, type: string) {
  const { promise, resolve, reject } = Promise.withResolvers<Blob>()
  canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))), type, 0.9)
  return promise
}

function isTransparent(canvas: HTMLCanvasElement) {
  const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true
  return false
}
