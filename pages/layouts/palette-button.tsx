import { Search } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { useHydrated } from '../hooks/store.ts'
import { part } from '../shared/part.ts'
import { t } from '../words/t.ts'
import type { Props } from './palette.tsx'

const Palette = part(async () => (await import('./palette.tsx')).Palette)

const isApple = () => /Mac|iP/.test(navigator.platform)

/** Opens the palette, as ⌘K and Ctrl K do. On phones the switcher leads to the workspaces. */
export function PaletteButton(props: Omit<Props, 'onClose'>) {
  const [isOpen, setOpen] = useState(false)
  const hasCommandKey = useHydrated() && isApple()

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isShortcut(event) || document.querySelector('[role$="dialog"]')) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <>
      <button
        type="button"
        className="button button-secondary button-small palette-button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={() => setOpen(true)}
      >
        <Search />
        {t('Search')}
        <span aria-hidden="true">{hasCommandKey ? '⌘K' : 'Ctrl K'}</span>
      </button>
      {isOpen && (
        <Suspense>
          <Palette {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** On keyboards of other scripts, by the place of the key. */
function isShortcut({ key, code, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent) {
  const isLetter = key.toLowerCase() === 'k' || (code === 'KeyK' && !/[a-z]/i.test(key))
  return isLetter && (isApple() ? metaKey : ctrlKey) && !altKey && !shiftKey
}
