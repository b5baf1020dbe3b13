import { storeOf } from '../hooks/store.ts'
import { take } from '../visits/flashes.ts'
import { forget, keep, kept } from '../visits/storage.ts'

const name = 'sign-in-news'
const lifetimeMs = 20 * 60_000 // that of the link in the mail

export type News = { kind: 'asked' | 'reset' | 'restored'; email: string }

// The sign-in page renders before the callback of the form runs that leads there.
const store = storeOf(current, undefined)

export const useNews = (): News | undefined => {
  const json = store.use()
  return json && JSON.parse(json)
}

/** In place of the server's notice, and for longer. */
export function showSignInNotice(news: News) {
  take('notice')
  keep(name, { ...news, at: Date.now() })
  store.changed()
}

export function forgetNews() {
  forget(name)
  store.changed()
}

function current() {
  const json = kept(name)
  return json && Date.now() - JSON.parse(json).at < lifetimeMs ? json : undefined
}
