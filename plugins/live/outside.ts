import { AsyncLocalStorage } from 'node:async_hooks'

/** Runs what is done for many outside of the request of the one who happened to ask first: when that one is given up, the others still wait. */
export const outside: <T>(work: () => T) => T = AsyncLocalStorage.snapshot()
