/** Makes something at its first use. The first formatter of a page takes a phone 0.1 s, so none is made in advance. */
export function lazily<T>(make: () => T) {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
