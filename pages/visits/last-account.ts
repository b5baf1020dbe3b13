import { useEffect, useSyncExternalStore } from 'react'
import { keep, kept } from './storage.ts'

export type LastAccount = { name: string; slug: string }

const never = () => () => {}

/** The account of this page, or the last one shown in this tab, so settings pages can link back to it. */
export function useLastAccount(account: LastAccount | undefined): LastAccount | undefined {
  const last = useSyncExternalStore(
    never,
    () => kept('last-account'),
    () => undefined,
  )
  const { name, slug } = account ?? {}
  useEffect(() => {
    if (name && slug) keep('last-account', { name, slug })
  }, [name, slug])
  return account ?? (last && JSON.parse(last))
}
