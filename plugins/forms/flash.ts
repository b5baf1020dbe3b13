import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Errors } from '../inertia/pages.ts'
import type { Keys } from '../security/keys.ts'
import { createSealing } from '../security/sealing.ts'

/** State that the browser carries from a redirect to the next page. Features extend it by declaration merging. */
export interface Carried {
  notice?: string
  alert?: string
  errors?: Errors
  clearHistory?: true
  preserveFragment?: true
  /** Seconds. The next page sends it as Retry-After, for a form that was submitted too often. */
  retryAfter?: number
  /** Where a guest wanted to go. Not shown as a flash: only the sign-in page reads it. */
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

// What an earlier submission said and no page showed. Next to what this one says, it would be wrong.
const forgotten = { notice: undefined, alert: undefined, errors: undefined, retryAfter: undefined } as const
const isSubmission = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD'

/**
 * Keeps flash messages, form errors and one-shot flags in an encrypted cookie: it works for guests, needs no table, and
 * scripts cannot read it.
 */
export default fp<Options>(
  async (app, { keys }) => {
    const { seal, open } = createSealing(keys)
    const opened = (cookie: string | undefined): Carried | null => {
      try {
        return cookie ? JSON.parse(open(cookie, owner)) : null
      } catch {
        return null // forged, truncated, or sealed with a retired secret: nothing to show
      }
    }

    app.decorateRequest('carried')

    const read = (request: FastifyRequest) => {
      if (request.carried === undefined) {
        const carried = opened(request.cookie('flash'))
        request.carried = carried && isSubmission(request) ? { ...carried, ...forgotten } : carried
      }
      return request.carried
    }

    app.decorateReply('carry', function (carried) {
      const all = { ...read(this.request), ...carried } // a second redirect must not lose what the first one carried
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
