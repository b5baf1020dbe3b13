import { router } from '@inertiajs/react'
import { type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Path } from '../../features/paths.ts'
import { useHydrated } from '../hooks/store.ts'
import { Alert } from '../shared/alert.tsx'
import { Avatar } from '../shared/avatar.tsx'
import { SmallButton } from '../shared/button.tsx'
import { part } from '../shared/part.ts'
import { t } from '../words/t.ts'

const load = async () => (await import('./picture-dialog.tsx')).PictureDialog
const PictureDialog = part(load)

type Props = {
  of: string | number
  name: string
  picture: string | null | undefined
  /** People are round, accounts are not. */
  round?: boolean
  alt: string
  change: Path
  remove: Path
  children: ReactNode
}

export function PictureCard({ of, name, picture, round = false, alt, change, remove, children }: Props) {
  const alive = useHydrated()
  const [chosen, setChosen] = useState<ImageBitmap>()
  const [message, setMessage] = useState<string>()
  const [isOver, setOver] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)

  async function choose(file: File | undefined) {
    if (!file || chosen) return
    setMessage(undefined)
    const opened = await openPicture(file)
    if (typeof opened === 'string') setMessage(opened)
    else setChosen(opened)
  }

  const removePicture = () =>
    router.delete(remove.url, {
      preserveScroll: true,
      onSuccess: ({ flash }) => flash.alert || button.current?.focus(),
    })

  const onPaste = useEffectEvent(async (event: ClipboardEvent) => {
    const { clipboardData } = event
    const isText = clipboardData?.types.includes('text/plain') // of which spreadsheets add a picture
    if (!isText) await choose(clipboardData?.files[0])
  })
  useEffect(() => {
    const paste = (event: ClipboardEvent) => void onPaste(event)
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way, beside the button
    <div
      className="card padded picture-card"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        void choose(file)
      }}
    >
      <Avatar of={of} name={name} picture={picture} round={round} alt={picture ? alt : ''} />
      <div className="picture-text">
        <h2>{t('Picture')}</h2>
        <p>
          {children} {t('Choose a file, drop it here, or paste it.')}
        </p>
        {message && <Alert>{message}</Alert>}
        <div className="actions">
          <input
            ref={input}
            type="file"
            accept="image/*,.heic,.heif"
            hidden
            aria-label={t('Picture')}
            onChange={({ target }) => {
              void choose(target.files?.[0])
              target.value = '' // the same file may be chosen again
            }}
          />
          <SmallButton
            ref={button}
            disabled={!alive}
            onClick={() => input.current?.click()}
            onFocus={() => void load().catch(() => {})}
          >
            {picture ? t('Change picture') : t('Choose a picture')}
          </SmallButton>
          {picture && (
            <SmallButton look="quiet" onClick={removePicture}>
              {t('Remove picture')}
            </SmallButton>
          )}
        </div>
      </div>
      {chosen && (
        <Suspense>
          <PictureDialog
            picture={chosen}
            round={round}
            to={change}
            finalFocus={button}
            onClose={() => {
              chosen.close()
              setChosen(undefined)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

/** The picture in a file, upright, or what to tell the person if this browser cannot show it. */
const openPicture = (file: File) =>
  createImageBitmap(file).catch(() =>
    /hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name)
      ? t("This browser can't read HEIC photos. Choose a JPEG instead: phones convert the photos they send by email.")
      : t('This is not a picture we can read. Choose a JPEG, PNG, WebP, GIF or AVIF.'),
  )
