import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { FastifyInstance } from 'fastify'
import { unacceptableBody } from './bodies.ts'
import { Unavailable } from './errors.ts'

/** A file of a form. `isTooLarge` means that only its beginning was kept. */
export class Upload {
  readonly bytes: Buffer
  readonly isTooLarge: boolean

  constructor(bytes: Buffer, isTooLarge: boolean) {
    this.bytes = bytes
    this.isTooLarge = isTooLarge
  }
}

type Options = { field: string; maxFileBytes: number; maxBodyBytes: number }

/**
 * Accepts forms with a single file, as `request.body[field]`, in this plugin's routes. They are read like any other
 * body, before the hooks that ask once more whether the session still exists. Whatever else the form holds is ignored.
 */
export function acceptUpload(app: FastifyInstance, { field, maxFileBytes, maxBodyBytes }: Options) {
  app.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    const { headers } = request
    if (Number(headers['content-length']) > maxBodyBytes) return done(unacceptableBody('a body is too large', 413))
    readFile(payload, headers['content-type'] ?? '', { field, maxFileBytes, maxBodyBytes }).then(
      (upload) => done(null, upload ? { [field]: upload } : {}),
      (error) => done(error instanceof Unavailable || error.statusCode ? error : unacceptableBody(error.message)),
    )
  })
}

async function readFile(payload: Readable, type: string, { field, maxFileBytes, maxBodyBytes }: Options) {
  const limits = { files: 1, fields: 10, parts: 20, fieldSize: 1_024, fileSize: maxFileBytes, headerPairs: 20 }
  const parser = new Busboy({ headers: { 'content-type': type }, limits })
  const read = Promise.withResolvers<Upload | undefined>()
  let upload: Upload | undefined
  let received = 0
  parser.on('file', (name, stream) => {
    stream.on('error', read.reject) // which a body that ends early raises here
    if (name !== field) return stream.resume()
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      upload = new Upload(Buffer.concat(chunks), stream.truncated)
    })
  })
  parser.on('finish', () => read.resolve(upload))
  parser.on('error', read.reject)
  payload.on('error', read.reject)
  // A small one is closed before the parser has finished.
  payload.on('close', () => payload.readableEnded || read.reject(unacceptableBody('a body ended early')))
  payload.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > maxBodyBytes) read.reject(unacceptableBody('a body is too large', 413))
  })
  payload.pipe(parser)
  try {
    return await read.promise
  } finally {
    payload.unpipe(parser)
    payload.resume() // a rest, which nobody reads
  }
}
