import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Errors } from '../inertia/pages.ts'
import type { Keys } from '../security/keys.ts'
import { createSealing } from '../security/sealing.ts'

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

type Options = { keys: Keys }

const owner = 'flash'

/** Flash, form errors and one-shot marks, in an encrypted cookie: they also serve guests, need no table, and no script can read them. */
export default fp<Options>(
  async (app, { keys }) => {
    const { seal, open } = createSealing(keys)
    const opened = (cookie: string | undefined): Carried | null => {
      try {
        return cookie ? JSON.parse(open(cookie, owner)) : null
      } catch {
        return null // forged, cut off, or sealed with a secret that is gone: there is nothing to show
      }
    }

    app.decorateRequest('carried')

    const read = (request: FastifyRequest) => {
      if (request.carried === undefined) request.carried = opened(request.cookie('flash'))
      return request.carried
    }

    app.decorateReply('carry', function (carried) {
      const all = { ...read(this.request), ...carried } // a second redirect must not lose what the first one said
      this.request.carried = all
      return this.giveCookie('flash', seal(JSON.stringify(all), owner))
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
