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
