import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** What each column shows of a row, by its heading. */
export type Columns<Row> = Record<string, (row: Row) => unknown>

/** Answers with a file that is written as it is read, one chunk per batch of rows. */
export const sendCsv = (reply: FastifyReply, name: string, lines: AsyncIterable<string>) =>
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(lines))

/** Rows as CSV (RFC 4180). */
export async function* csvOf<Row>(columns: Columns<Row>, batches: AsyncIterable<Row[]> | Iterable<Row[]>) {
  yield line(Object.keys(columns))
  for await (const batch of batches) {
    yield batch.map((row) => line(Object.values(columns).map((cell) => cell(row)))).join('')
  }
}

const line = (cells: unknown[]) => `${cells.map(cellOf).join(',')}\r\n`

function cellOf(value: unknown) {
  const text = String(value ?? '')
  // Spreadsheets run cells that start like this as formulas, and anyone can choose such a name.
  // Some read the wide forms of these characters alike (OWASP, CSV Injection).
  const harmless = /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text
  // Quoted always: in some languages spreadsheets also split at semicolons and tabs.
  return `"${harmless.replaceAll('"', '""')}"`
}
