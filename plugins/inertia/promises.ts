export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/** Calls `next` synchronously unless the value is a promise: most pages have nothing to wait for. */
export const after = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  isPromise(value) ? value.then(next) : next(value)

/**
 * Turns a thrown error into a rejection. If it escaped while other promises are pending, their rejections would be
 * unhandled.
 */
export function attempt<T, Args extends unknown[]>(
  compute: (...args: Args) => T | Promise<T>,
  ...args: Args
): T | Promise<T> {
  try {
    return compute(...args)
  } catch (error) {
    return Promise.reject(error)
  }
}
