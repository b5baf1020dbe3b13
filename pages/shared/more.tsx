import { router, usePage } from '@inertiajs/react'
import { type RefObject, useEffect, useState } from 'react'
import { sayUnreachable } from '../visits/failures.ts'
import { t } from '../words/t.ts'
import { Button } from './button.tsx'

type Props = { of: string; shown: number; rows: RefObject<HTMLElement | null> }

export function More({ of: prop, shown, rows }: Props) {
  const scroll = usePage().scrollProps?.[prop]
  const [loading, setLoading] = useState(false)
  const [seen, setSeen] = useState(0)

  // The button may be gone, and the new rows are above it.
  useEffect(() => {
    if (seen > 0) rows.current?.querySelectorAll<HTMLElement>('[data-row]')[seen]?.focus({ preventScroll: true })
  }, [seen, rows])

  if (!scroll?.nextPage) return null

  const load = () => {
    if (loading) return
    setLoading(true)
    router.reload({
      only: [prop],
      data: { [scroll.pageName]: scroll.nextPage },
      preserveUrl: true,
      onSuccess: () => setSeen(shown),
      onNetworkError: sayUnreachable,
      onFinish: () => setLoading(false),
    })
  }

  return (
    <Button aria-disabled={loading} onClick={load}>
      {t('Load more')}
    </Button>
  )
}
