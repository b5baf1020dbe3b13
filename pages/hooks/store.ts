import { useSyncExternalStore } from 'react'

/** State outside of React: `use` reads it in a component, and `changed` tells every component that does. */
export function storeOf<Value>(read: () => Value, onServer: Value) {
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    use: (before = onServer) => useSyncExternalStore(subscribe, read, () => before),
    changed() {
      for (const listener of listeners) listener()
    },
  }
}

/** False on the server and during hydration, so that both render the same, then true. */
export const { use: useHydrated } = storeOf(() => true, false)
