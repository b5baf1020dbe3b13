import { isStorable } from './failures.ts'

const maxSearchLength = 100 // characters, longer than any name

/** What someone searches for. Empty if no stored text can contain it. */
export function searchIn(q = '') {
  const text = q.trim().slice(0, maxSearchLength)
  return isStorable(text) ? text : ''
}

/** The pattern of `ilike` for texts that contain this one. */
export const containing = (q: string) => `%${q.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Takes a list apart that was read with one row more than the page has: the page, and the position where the next one
 * starts.
 */
export function pageOf<Row extends { id: number }>(rows: Row[], size: number) {
  const page = rows.slice(0, size)
  return { page, next: rows.length > size ? (page.at(-1)?.id ?? null) : null }
}
