import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { Type } from 'typebox'

/** A place in a list that is ordered by a column and then by id. Other rows of the same value may follow. */
type Position = { value: string; id: number }

/** Splits rows, read with one more than a page has, into the page and the position of the next: `17~2026-12-24`. */
export function orderedPageOf<Row>(rows: Row[], size: number, positionOf: (row: Row) => Position) {
  const page = rows.slice(0, size)
  const last = page.at(-1)
  if (rows.length <= size || !last) return { page, next: null }
  const { id, value } = positionOf(last)
  return { page, next: `${id}~${value}` }
}

/** `valueIn` says whether the column may hold such a value. Undefined if malformed: the list then starts again. */
export function readPosition(given: string | undefined, valueIn: (text: string) => string | undefined) {
  const [, id, text] = /^(\d{1,15})~(.*)$/s.exec(given ?? '') ?? []
  const value = text === undefined ? undefined : valueIn(text)
  return value === undefined ? undefined : { value, id: Number(id) }
}

/** The condition for rows after a position, in ascending order. An index of both columns makes it a range. */
export const following = (column: AnyColumn, id: AnyColumn, position: Position | undefined): SQL | undefined =>
  position && sql`(${column}, ${id}) > (${sql.param(position.value, column)}, ${position.id}::bigint)`

/** Where a page of such a list starts. */
export const PositionCursor = Type.Optional(Type.String({ maxLength: 200 }))
