import { storeOf } from './store.ts'

const store = storeOf(() => !navigator.onLine, false)

/** Whether the browser has no network. Without one, it may still reach a server on the same machine. */
export const useOffline = () => store.use()

export function followNetwork() {
  for (const type of ['online', 'offline']) window.addEventListener(type, store.changed)
}
