import { Link, usePage } from '@inertiajs/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { usePendingPath } from '../visits/own-visits.ts'

export type Tab = { name: string; path: string }

/** Links to the pages of one place. One that was clicked is marked at once. */
export function Tabs({ label, tabs, children }: { label: string; tabs: Tab[]; children?: ReactNode }) {
  const current = usePage().url.split(/[?#]/)[0] ?? ''
  const pending = usePendingPath()
  const marked = pending && tabs.some(({ path }) => path === pending) ? pending : current
  const row = useRef<HTMLElement>(null)

  // On phones, the row scrolls sideways.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    const show = () =>
      row.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
    show()
    // The typeface may come later, and is wider than its stand-in.
    document.fonts.ready.then(show)
  }, [current])

  return (
    <nav className="tabs" aria-label={label} ref={row}>
      {tabs.map(({ name, path }) => (
        <Link key={path} href={path} prefetch aria-current={currentIn(path, marked)}>
          {name}
        </Link>
      ))}
      {children}
    </nav>
  )
}

function currentIn(path: string, marked: string) {
  if (path === marked) return 'page'
  return path.lastIndexOf('/') > 0 && marked.startsWith(`${path}/`) ? 'true' : undefined
}
