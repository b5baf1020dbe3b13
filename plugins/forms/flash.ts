import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Errors } from '../inertia/pages.ts'

/** What waits in the browser between a redirect and the next page. Features add to it by declaration merging. */
export interface Carried {
  notice?: string
  alert?: string
  errors?: Errors
  clearHistory?: true
  preserveFragment?: true
  /** Seconds; said in a header of the next page, for the form that was sent too often. */
  retryAfter?: number
  /** Where a guest wanted to go. No flash: only the sign-in page reads it. */
  returnTo?: string
}

declare module 'fastify' {
  interface FastifyReply {
    notice(text: string): this
    alert(text: string): this
    carry(carried: Carried): this
  }
  interface FastifyRequest {
    carried: Carried | null | undefined
  }
}

type Options = { key: KeyObject }

/** Flash, form errors and one-shot marks, in an encrypted cookie: they also serve guests, need no table, and no script can read them. */
export default fp<Options>(
  async (app, { key }) => {
    app.decorateRequest('carried')

    const read = (request: FastifyRequest) => {
      if (request.carried === undefined) request.carried = open(key, request.cookie('flash'))
      return request.carried
    }

    app.decorateReply('carry', function (carried) {
      const all = { ...read(this.request), ...carried } // a second redirect must not lose what the first one said
      this.request.carried = all
      return this.giveCookie('flash', seal(key, all))
    })
    app.decorateReply('notice', function (notice) {
      return this.carry({ notice })
    })
    app.decorateReply('alert', function (alert) {
      return this.carry({ alert })
    })
    app.decorate('carrier', {
      read: (request: FastifyRequest) => read(request) ?? undefined,
      clear: (request: FastifyRequest, reply: FastifyReply) => {
        const { retryAfter } = read(request) ?? {}
        if (retryAfter) reply.header('retry-after', retryAfter)
        return reply.takeCookie('flash')
      },
    })
  },
  { name: 'flash', dependencies: ['cookies'] },
)

declare module 'fastify' {
  interface FastifyInstance {
    carrier: {
      read(request: FastifyRequest): Carried | undefined
      clear(request: FastifyRequest, reply: FastifyReply): void
    }
  }
}

function seal(key: KeyObject, carried: Carried) {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const sealed = [cipher.update(JSON.stringify(carried), 'utf8'), cipher.final()]
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString('base64url')
}

function open(key: KeyObject, cookie: string | undefined): Carried | null {
  if (!cookie) return null
  const bytes = Buffer.from(cookie, 'base64url')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
    decipher.setAuthTag(bytes.subarray(12, 28))
    return JSON.parse(decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8'))
  } catch {
    return null // forged, cut off, or sealed with an older secret: there is nothing to show
  }
}
