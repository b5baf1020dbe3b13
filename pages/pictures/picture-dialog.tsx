import { router } from '@inertiajs/react'
import { type RefObject, useId, useRef, useState } from 'react'
import type { Path } from '../../features/paths.ts'
import { Dialog, DialogActions } from '../popups/dialog.tsx'
import { Alert } from '../shared/alert.tsx'
import { Button } from '../shared/button.tsx'
import { messageOf } from '../words/messages.ts'
import { t } from '../words/t.ts'
import { centred, fileOf, maxZoom, within } from './square.ts'
import { Stage } from './stage.tsx'

type Props = {
  picture: ImageBitmap
  round: boolean
  to: Path
  finalFocus: RefObject<HTMLElement | null>
  onClose(): void
}

export function PictureDialog({ picture, round, to, finalFocus, onClose }: Props) {
  const id = useId()
  const [square, setSquare] = useState(() => centred(picture))
  const [sent, setSent] = useState<number>() // percent, while it is being sent
  const [message, setMessage] = useState<string>()
  const visit = useRef<{ cancel(): void }>(null)
  const move = (to: typeof square) => setSquare(within(picture, to))

  async function send(close: () => void) {
    if (sent !== undefined) return
    setSent(0)
    setMessage(undefined)
    try {
      const body = { picture: await fileOf(picture, square) }
      router.put(to.url, body, {
        preserveScroll: true,
        preserveState: true,
        onCancelToken: (token) => {
          visit.current = token
        },
        onProgress: (progress) => setSent(progress?.percentage ?? 0),
        onError: (errors) => setMessage(messageOf('picture', t('This'), String(errors.picture))),
        onSuccess: close,
        onFinish: () => setSent(undefined),
      })
    } catch {
      setMessage(t('This picture could not be made smaller. Try another one.'))
      setSent(undefined)
    }
  }

  return (
    <Dialog
      isForm
      title={t('Crop picture')}
      finalFocus={finalFocus}
      onClose={() => {
        visit.current?.cancel()
        onClose()
      }}
      explanation={
        <p id={`${id}-how`}>{t('Drag the picture, or move it with the arrow keys and zoom with + and −.')}</p>
      }
    >
      {(close) => (
        <div className="picture-dialog">
          {message && <Alert>{message}</Alert>}
          <Stage picture={picture} square={square} round={round} describedBy={`${id}-how`} onMove={move} />
          <label className="picture-zoom">
            <span>{t('Zoom')}</span>
            <input
              type="range"
              min={1}
              max={maxZoom}
              step={0.05}
              value={square.zoom}
              onChange={({ target }) => move({ ...square, zoom: Number(target.value) })}
            />
          </label>
          <progress
            className="picture-progress"
            data-shown={sent !== undefined}
            aria-label={t('Sent')}
            max={100}
            value={sent}
          />
          <DialogActions>
            <Button look="primary" aria-disabled={sent !== undefined} onClick={() => send(close)}>
              {sent === undefined ? t('Save picture') : t('Saving…')}
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  )
}
