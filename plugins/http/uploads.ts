import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readBody, unacceptableBody } from './read-body.ts'

type UploadOptions = { field: string; maxBodyBytes: number }

const maxParts = 10
const maxBoundary = 70 // characters (RFC 2046, 5.1.1); to search one of thousands takes quadratic time
const maxHeaderBytes = 2_048 // of a part; parsing takes far longer than reading

/** Accepts forms with a single file, as a Buffer in `request.body[field]`. */
export function acceptUpload(app: FastifyInstance, { field, maxBodyBytes }: UploadOptions) {
  app.addContentTypeParser('multipart/form-data', async ({ headers }: FastifyRequest, message: IncomingMessage) => {
    const boundary = /;\s*boundary="?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1]
    if (!boundary) throw unacceptableBody('a form names no boundary')
    if (boundary.length > maxBoundary) throw unacceptableBody('the boundary of a form is too long')
    const bytes = await readBody(message, { maxBytes: maxBodyBytes, inspect: partInspector(`--${boundary}`) })
    try {
      const type = `multipart/form-data; boundary="${boundary}"`
      const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
      const files = [...form.values()].filter((value) => value instanceof File)
      if (files.length > 1) throw tooMuch()
      const file = form.get(field)
      return file instanceof File ? { [field]: Buffer.from(await file.arrayBuffer()) } : {}
    } catch (error) {
      throw unacceptableBody((error as Error).message)
    }
  })
}

const tooMuch = () => unacceptableBody('a form holds too many parts')

/** Finds, while a form arrives, that it has too many parts or one with a header that is too long. */
function partInspector(delimiter: string) {
  let delimiters = 0 // before each part, and at the end
  let searched = 0
  let headerStart: number | undefined // of the last part, until its header is complete

  return (bytes: Buffer) => {
    for (;;) {
      const next = bytes.indexOf(delimiter, searched)
      const partEnd = next === -1 ? bytes.length : next
      if (headerStart !== undefined) {
        const header = bytes.subarray(headerStart, partEnd)
        const headerEnd = header.subarray(0, maxHeaderBytes + 4).indexOf('\r\n\r\n')
        if (headerEnd === -1 && header.length > maxHeaderBytes) return unacceptableBody("a part's header is too long")
        if (headerEnd !== -1) headerStart = undefined
      }
      if (next === -1) {
        searched = Math.max(searched, bytes.length - delimiter.length + 1)
        return undefined
      }
      delimiters++
      if (delimiters > maxParts + 1) return tooMuch()
      searched = next + delimiter.length
      headerStart = searched
    }
  }
}
