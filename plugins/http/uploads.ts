import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

type Options = { field: string; maxBodyBytes: number }

const maxParts = 10

/** Accepts forms with a single file, as a Buffer in `request.body[field]`. */
export function acceptUpload(app: FastifyInstance, { field, maxBodyBytes }: Options) {
  app.addContentTypeParser('multipart/form-data', async ({ headers }: FastifyRequest, payload: IncomingMessage) => {
    const boundary = /;\s*boundary="?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1]
    if (!boundary) throw unacceptableBody('a form names no boundary')
    if (Number(headers['content-length']) > maxBodyBytes) throw tooLarge()
    try {
      const bytes = await read(payload, `--${boundary}`, maxBodyBytes)
      const type = `multipart/form-data; boundary="${boundary}"`
      const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
      const files = [...form.values()].filter((value) => value instanceof File)
      if (files.length > 1) throw tooMuch()
      const file = form.get(field)
      return file instanceof File ? { [field]: Buffer.from(await file.arrayBuffer()) } : {}
    } catch (error) {
      const { message, statusCode } = error as Error & { statusCode?: number }
      throw statusCode ? error : unacceptableBody(message)
    }
  })
}

const unacceptableBody = (message: string, statusCode = 400) => Object.assign(new Error(message), { statusCode })
const tooLarge = () => unacceptableBody('a body is too large', 413)
const tooMuch = () => unacceptableBody('a form holds too many parts')

/** Reads a form until its end or the first limit. */
function read(payload: IncomingMessage, delimiter: string, maxBytes: number) {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let delimiters = 0 // before each part, and at the end
  let bytes = 0
  let rest = '' // may be the beginning of a delimiter

  const take = (chunk: Buffer) => {
    const text = rest + chunk.toString('latin1')
    delimiters += text.split(delimiter).length - 1
    rest = text.slice(1 - delimiter.length)
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) stop(tooLarge())
    else if (delimiters > maxParts + 1) stop(tooMuch())
  }
  const stop = (error: Error) => {
    payload.off('data', take)
    reject(error)
  }
  payload.on('data', take).on('error', stop)
  payload.on('end', () => resolve(Buffer.concat(chunks)))
  return promise
}
