import { speech } from './t.ts'

/**
 * Makes something for the language of the page, at its first use. The first formatter of a page takes a phone 0.1 s, so
 * none is made in advance.
 */
export function lazily<T>(make: () => T) {
  const made = new Map<string, T>()
  return () => {
    const { tag } = speech()
    const known = made.get(tag) ?? make()
    made.set(tag, known)
    return known
  }
}
