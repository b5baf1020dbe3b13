import { useSyncExternalStore } from 'react'
import { forget, keep, kept } from '../visits/storage.ts'

const name = 'sign-in-news'
const lifetimeMs = 20 * 60_000 // that of the link in the mail

export type News = { kind: 'asked' | 'reset' | 'restored'; email: string }

export const useNews = (): News | undefined => {
  const json = useSyncExternalStore(subscribe, current, () => undefined)
  return json && JSON.parse(json)
}

// The sign-in page renders before the callback of the form runs that leads there.
const listeners = new Set<() => void>()
function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const notify = () => {
  for (const listener of listeners) listener()
}

export function showSignInNotice(news: News) {
  keep(name, { ...news, at: Date.now() })
  notify()
}

export function forgetNews() {
  forget(name)
  notify()
}

function current() {
  const json = kept(name)
  return json && Date.now() - JSON.parse(json).at < lifetimeMs ? json : undefined
}
