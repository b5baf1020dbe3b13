import type { PendingVisit } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import { type ReactNode, useEffect, useState } from 'react'
import { paths } from '../../features/paths.ts'
import { Ask } from '../popups/ask.tsx'
import { t } from '../words/t.ts'

type Props = { title: string; explanation: ReactNode; stay: string; onLeave(): void }

export function Leaving({ title, explanation, stay, onLeave }: Props) {
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
      title={title}
      explanation={explanation}
      cancel={stay}
      action={t('Leave')}
      onConfirm={() => {
        onLeave()
        router.visit(target.url, target)
      }}
      onClose={() => setTarget(undefined)}
    />
  )
}
