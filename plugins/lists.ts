import { type AnyColumn, like, or, type SQL, sql } from 'drizzle-orm'
import { isStorable } from './database/index.ts'
import { scroll } from './inertia/props.ts'
import { plainLetters, whole } from './languages/plain-letters.ts'

const maxSearchLength = 100 // characters, longer than any name

/** What someone searches for. Empty if no stored text can contain it. */
export function searchIn(q = '') {
  const text = q.trim().slice(0, maxSearchLength)
  return isStorable(text) ? text : ''
}

/** Whether one of the columns contains the text, whatever the case and the accents (pages search with `plainLetters`). */
export const contains = (columns: AnyColumn[], q: string) => {
  const pattern = `%${plainLetters(q).replace(/[\\%_]/g, '\\$&')}%`
  return or(...columns.map((column) => like(plain(column), pattern)))
}

const plain = (column: AnyColumn) =>
  Object.entries(whole).reduce<SQL>(
    (text, [letter, letters]) => sql`replace(${text}, ${sql.raw(`'${letter}'`)}, ${sql.raw(`'${letters}'`)})`,
    sql`regexp_replace(normalize(lower(${column}), NFKD), '[\u0300-\u036f\u0610-\u061a\u064b-\u065f]', '', 'g')`,
  )

/** Splits a list, read with one row more than a page has, into the page and the position of the next. */
export function pageOf<Row extends { id: number }>(rows: Row[], size: number) {
  const page = rows.slice(0, size)
  return { page, next: rows.length > size ? (page.at(-1)?.id ?? null) : null }
}

type Place = string | number | null
type Page<Row> = { page: Row[]; next: Place }

/** A list that grows page by page. The parameter `pageName` is where a page starts, and `current` is its value. */
export function paged<Row>(pageName: string, current: Place | undefined, load: () => Page<Row> | Promise<Page<Row>>) {
  let nextPage: Place = null
  const rows = async () => {
    const { page, next } = await load()
    nextPage = next
    return page
  }
  const page = () => ({ currentPage: current ?? null, previousPage: null, nextPage })
  return scroll(rows, { pageName, wrapper: '', matchOn: 'id', page })
}
