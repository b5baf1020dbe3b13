import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Runs shared work outside of the request that started it: if that request is aborted, the others still wait for the
 * result.
 */
export const detached: <T>(work: () => T) => T = AsyncLocalStorage.snapshot()
