export type Square = { x: number; y: number; zoom: number }
type Picture = Pick<ImageBitmap, 'width' | 'height'>

export const maxZoom = 5
const sentSide = 512 // pixels, twice what is shown, so that the server loses nothing

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

export function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, square: Square) {
  const { width, height } = canvas
  const context = canvas.getContext('2d')
  if (!context) return
  const side = sideOf(picture, square)
  context.clearRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, square.x - side / 2, square.y - side / 2, side, side, 0, 0, width, height)
}

/** The square as a small file, so that a phone on a train has little to send. Safari writes PNG instead. */
export async function fileOf(picture: ImageBitmap, square: Square) {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = Math.round(Math.min(sentSide, sideOf(picture, square)))
  draw(canvas, picture, square)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.9))
  if (!blob) throw new Error('the picture is too large')
  return new File([blob], 'picture', { type: blob.type })
}
