import type { PendingVisit } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import { useEffect, useState } from 'react'
import { paths } from '../../features/paths.ts'
import { Ask } from '../popups/ask.tsx'
import { t } from '../words/t.ts'

/** Asks before someone leaves the page on which their recovery codes are shown. */
export function Leaving({ onLeave }: { onLeave(): void }) {
  const [target, setTarget] = useState<PendingVisit>()

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault() // the browser asks in its own words
    window.addEventListener('beforeunload', warn)
    const stop = router.on('before', ({ detail: { visit } }) => {
      // The forms of this page stay on it.
      const leaves = visit.method === 'get' || visit.url.pathname.startsWith(paths.endSession('').url)
      if (!leaves || visit.prefetch || visit.async || target) return
      setTarget(visit)
      return false
    })
    return () => {
      window.removeEventListener('beforeunload', warn)
      stop()
    }
  }, [target])

  if (!target) return null
  return (
    <Ask
      title={t('Leave without your recovery codes?')}
      explanation={t("They are shown only now. If you lose your phone, you'll need them to sign in.")}
      cancel={t('Back to the codes')}
      action={t('Leave')}
      onConfirm={() => {
        onLeave()
        router.visit(target.url, target)
      }}
      onClose={() => setTarget(undefined)}
    />
  )
}
