import { type SQL, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { isStorable } from './database/index.ts'
import { scroll } from './inertia/props.ts'
import { plainLetters } from './languages/plain.ts'

const maxSearchLength = 100 // characters, longer than any name

/** What someone searches for. Empty if no stored text can contain it. */
export function searchIn(q = '') {
  const text = q.trim().slice(0, maxSearchLength)
  return isStorable(text) ? text : ''
}

/**
 * Whether a text in plain letters (the function `plain_letters` of the database) contains what someone searches for.
 */
export const contains = (plainText: SQL, q: string) =>
  sql`${plainText} like ${`%${plainLetters(q).replace(/[\\%_]/g, '\\$&')}%`}`

/** Splits a list, read with one row more than a page has, into the page and the position of the next. */
export function pageOf<Row extends { id: number }>(rows: Row[], size: number) {
  const page = rows.slice(0, size)
  return { page, next: rows.length > size ? (page.at(-1)?.id ?? null) : null }
}

export const pageSize = 50
const maxRows = 1_000 // of a list that is loaded again

/**
 * How many rows of a list to send. A page that loads its lists again names how many it shows of each (`X-Rows`, such as
 * `after=150`), so that none of them vanish.
 */
export function rowsOf({ headers }: Pick<FastifyRequest, 'headers'>, pageName: string) {
  const shown = Number(new URLSearchParams(String(headers['x-rows'] ?? '')).get(pageName))
  return shown > pageSize ? Math.min(Math.floor(shown), maxRows) : pageSize
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
