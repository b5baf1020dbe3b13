import { useEffect, useSyncExternalStore } from 'react'

const key = 'last-account'
const never = () => () => {}

/** The slug of this page's account, or of the last one in this browser, so that settings lead back to it. */
export function useLastAccount(slug: string | undefined) {
  const last = useSyncExternalStore(never, read, () => undefined)
  useEffect(() => {
    try {
      if (slug) localStorage.setItem(key, slug)
    } catch {}
  }, [slug])
  return slug ?? last
}

function read() {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined // storage is blocked
  }
}
