import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import { t } from '../words/t.ts'
import { draw, type Square, sideOf } from './square.ts'

type Props = { picture: ImageBitmap; square: Square; round: boolean; describedBy: string; onMove(to: Square): void }

const size = 288 // pixels on the page
const step = 0.05 // of the visible part, for each press of a key
const zoomStep = 1.1

export function Stage({ picture, square, round, describedBy, onMove }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const pointer = useRef<{ x: number; y: number }>(null)

  useEffect(() => {
    if (canvas.current) draw(canvas.current, picture, square)
  }, [picture, square])

  const moveBy = (x: number, y: number) => {
    const side = sideOf(picture, square)
    onMove({ ...square, x: square.x + x * side, y: square.y + y * side })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = directions[event.key]
    const zoom = zooms[event.key]
    if (!by && !zoom) return
    event.preventDefault()
    if (by) moveBy(by[0] * step, by[1] * step)
    if (zoom) onMove({ ...square, zoom: square.zoom * zoom })
  }
  const onPointerMove = ({ clientX: x, clientY: y, currentTarget }: PointerEvent) => {
    if (!pointer.current) return
    const shown = currentTarget.clientWidth
    moveBy((pointer.current.x - x) / shown, (pointer.current.y - y) / shown)
    pointer.current = { x, y }
  }

  const release = () => {
    pointer.current = null
  }

  return (
    <button
      type="button"
      className="picture-stage"
      data-round={round}
      aria-label={t('Crop area')}
      aria-describedby={describedBy}
      onKeyDown={onKeyDown}
      onPointerDown={({ clientX: x, clientY: y, currentTarget, pointerId }) => {
        currentTarget.setPointerCapture(pointerId)
        pointer.current = { x, y }
      }}
      onPointerMove={onPointerMove}
      onPointerUp={release}
      onPointerCancel={release}
      onWheel={({ deltaY }) => onMove({ ...square, zoom: square.zoom * (deltaY < 0 ? zoomStep : 1 / zoomStep) })}
    >
      <canvas ref={canvas} width={size * 2} height={size * 2} />
    </button>
  )
}

const directions: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
const zooms: Record<string, number> = { '+': zoomStep, '=': zoomStep, '-': 1 / zoomStep }
