import { storeOf } from './store.ts'

/** False on the server and during hydration, so that both render the same, then true. */
export const { use: useHydrated } = storeOf(() => true, false)
