import { useForm } from '@inertiajs/react'
import { type RefObject, useId, useState } from 'react'
import type { Path } from '../../features/paths.ts'
import { Dialog, DialogActions } from '../popups/dialog.tsx'
import { Alert } from '../shared/alert.tsx'
import { Button } from '../shared/button.tsx'
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
  const { submit, cancel, transform, processing, progress, errors } = useForm<{ picture?: File }>({})
  const [isTooLarge, setTooLarge] = useState(false)
  const move = (to: typeof square) => setSquare(within(picture, to))

  async function send(close: () => void) {
    if (processing) return
    const file = await fileOf(picture, square).catch(() => undefined)
    setTooLarge(!file)
    if (!file) return
    transform(() => ({ picture: file }))
    submit(to, { preserveScroll: true, preserveState: true, onSuccess: close })
  }

  const message = isTooLarge
    ? t('This picture could not be made smaller. Try another one.')
    : errors.picture && inWords(String(errors.picture))
  return (
    <Dialog
      title={t('Update picture')}
      finalFocus={finalFocus}
      onClose={() => {
        cancel()
        onClose()
      }}
      explanation={
        <p id={`${id}-how`}>{t('Drag the picture, or move it with the arrow keys and zoom with + and −.')}</p>
      }
    >
      {(close) => (
        <div className="form">
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
            data-shown={processing}
            aria-label={t('Sent')}
            max={100}
            value={progress?.percentage ?? 0}
          />
          <DialogActions>
            <Button look="primary" aria-disabled={processing} onClick={() => send(close)}>
              {processing ? t('Sending…') : t('Update picture')}
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  )
}

/** The server's wording continues a label. */
const inWords = (message: string) =>
  ({
    [t("can't be blank")]: t('The picture is missing.'),
    [t('is not a picture we can read')]: t('This is not a picture we can read.'),
    [t('is too large (maximum is 8 MB)')]: t('The picture is too large: 8 MB at most.'),
    [t('has too many pixels')]: t('The picture has too many pixels: 50 million at most.'),
  })[message] ?? message
