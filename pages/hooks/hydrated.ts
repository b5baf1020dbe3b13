import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False on the server and in the first render of its page in the browser, so that both render the same; then true. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
