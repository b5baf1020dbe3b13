import type { FastifyReply } from 'fastify'
import { sendFile } from './files.ts'

export type Columns<Row> = Record<string, (row: Row) => unknown>

export const sendCsv = (reply: FastifyReply, name: string, lines: AsyncIterable<string>) =>
  sendFile(reply, { name, type: 'text/csv; charset=utf-8' }, lines)

const byteOrderMark = '\ufeff' // without which Excel reads another encoding

export async function* csvOf<Row>(columns: Columns<Row>, batches: AsyncIterable<Row[]> | Iterable<Row[]>) {
  yield byteOrderMark + line(Object.keys(columns))
  for await (const batch of batches) {
    yield batch.map((row) => line(Object.values(columns).map((cell) => cell(row)))).join('')
  }
}

const line = (cells: unknown[]) => `${cells.map(cellOf).join(',')}\r\n`

function cellOf(value: unknown) {
  const text = String(value ?? '')
  // Spreadsheets run cells that start like this as formulas, and some read the wide forms alike (OWASP, CSV Injection).
  const harmless = /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/.test(text) ? `'${text}` : text
  // Quoted always: in some languages spreadsheets also split at semicolons and tabs.
  return `"${harmless.replaceAll('"', '""')}"`
}
