export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/** Goes on at once where there is nothing to wait for, as on most pages. */
export const after = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  isPromise(value) ? value.then(next) : next(value)

/** A failure becomes a rejection. Thrown past promises that are under way, it would leave nobody to catch theirs. */
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
