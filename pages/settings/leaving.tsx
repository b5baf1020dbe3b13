import { router } from '@inertiajs/react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { t } from '../words/t.ts'

const Confirmation = lazy(() => import('../popups/confirmation.tsx'))

type Props = { title: string; explanation: ReactNode; stay: string }

/** While it is rendered, going to another page asks first. */
export function Leaving({ title, explanation, stay }: Props) {
  const [target, setTarget] = useState<string>()

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault() // the browser asks in its own words
    window.addEventListener('beforeunload', warn)
    const stop = router.on('before', ({ detail: { visit } }) => {
      const isElsewhere = visit.method === 'get' && visit.url.pathname !== location.pathname
      if (!isElsewhere || visit.prefetch || visit.async || target) return
      setTarget(visit.url.href)
      return false
    })
    return () => {
      window.removeEventListener('beforeunload', warn)
      stop()
    }
  }, [target])

  if (!target) return null
  return (
    <Suspense>
      <Confirmation
        title={title}
        explanation={explanation}
        cancel={stay}
        action={t('Leave')}
        onConfirm={() => router.visit(target)}
        onClose={() => setTarget(undefined)}
      />
    </Suspense>
  )
}
