import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Route options for files that take longer than an ordinary response may. */
export const fileRoute = { handlerTimeout: 3_600_000 }

type File = { name: string; type: string }

/** Writes a file as fast as it is read. A client that stops reading is disconnected. */
export function sendFile(reply: FastifyReply, { name, type }: File, pieces: AsyncIterable<string>) {
  const { raw, request, server } = reply
  raw.setTimeout(server.server.requestTimeout, () => raw.destroy())
  const read = request.method === 'HEAD' ? [] : pieces // Fastify would read all of it and send nothing
  return reply
    .type(type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(read, { objectMode: false })) // in object mode, 16 pieces would wait in memory
}

export type Columns<Row> = Record<string, (row: Row) => unknown>

export const sendCsv = (reply: FastifyReply, name: string, lines: AsyncIterable<string>) =>
  sendFile(reply, { name, type: 'text/csv; charset=utf-8' }, lines)

const byteOrderMark = '\ufeff' // without it, Excel reads another encoding

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
