import { router, usePage } from '@inertiajs/react'
import { useEffect, useRef, useState } from 'react'
import { sayUnreachable } from '../visits/failures.ts'
import { t } from '../words/t.ts'
import { Button } from './button.tsx'
import { noteRows } from './rows-shown.ts'

/** Loads the next page of a prop, whose rows stand before it in the same element. */
export function More({ of: prop, shown }: { of: string; shown: number }) {
  const scroll = usePage().scrollProps?.[prop]
  const [loading, setLoading] = useState(false)
  const [seen, setSeen] = useState(0)
  const place = useRef<HTMLSpanElement>(null)

  // The button may be gone, and the new rows are above it.
  useEffect(() => {
    const rows = place.current?.parentElement?.querySelectorAll<HTMLElement>('[data-row]')
    if (seen > 0) rows?.[seen]?.focus({ preventScroll: true })
  }, [seen])

  const list = scroll?.pageName
  useEffect(() => {
    if (list) return noteRows(list, shown)
  }, [list, shown])

  const load = () => {
    if (loading || !scroll) return
    setLoading(true)
    router.reload({
      only: [prop],
      data: { [scroll.pageName]: scroll.nextPage },
      preserveUrl: true,
      onSuccess: () => setSeen(shown),
      onNetworkError: sayUnreachable,
      onFinish() {
        setLoading(false)
        // Keeping the address leaves the page in the history as it was, and going back would lose what was loaded.
        router.remember({}, prop)
      },
    })
  }

  return (
    <>
      <span hidden ref={place} />
      {scroll?.nextPage && (
        <Button aria-disabled={loading} onClick={load}>
          {t('Load more')}
        </Button>
      )}
    </>
  )
}
