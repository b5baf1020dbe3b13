import { useEffect } from 'react'
import { storeOf } from '../hooks/store.ts'
import { remember, remembered } from '../visits/storage.ts'

const key = 'last-account'
const store = storeOf(() => remembered(key), undefined)

/** The slug of this page's account, or of the last one in this browser, so that settings lead back to it. */
export function useLastAccount(slug: string | undefined) {
  const last = store.use()
  useEffect(() => {
    if (slug) remember(key, slug)
  }, [slug])
  return slug ?? last
}
