import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { parseJson } from '../http/bodies.ts'
import type { Errors, FlashState as PageFlash } from '../inertia/pages.ts'
import type { Text } from '../languages/index.ts'
import type { Keys } from '../security/keys.ts'
import { createSealing } from '../security/sealing.ts'

export type Messages = Record<string, Text[]>

/** State from a redirect to the next page. Features extend it by declaration merging. */
export interface FlashState {
  notice?: Text
  alert?: Text
  errors?: Messages
  clearHistory?: true
  preserveFragment?: true
  /** Seconds. The next page sends it as Retry-After. */
  retryAfter?: number
  /** Where a guest wanted to go. Only the sign-in page reads it. */
  returnTo?: string
}

declare module 'fastify' {
  interface FastifyInstance {
    flashStore: {
      read(request: FastifyRequest): TranslatedFlash | undefined
      clear(request: FastifyRequest, reply: FastifyReply): void
    }
  }
  interface FastifyReply {
    notice(text: Text): this
    alert(text: Text): this
    flash(state: FlashState): this
  }
  interface FastifyRequest {
    flashState: FlashState | null | undefined
  }
}

/** In the reader's language. */
type TranslatedFlash = Omit<FlashState, keyof PageFlash> & PageFlash

export const translateErrors = (request: FastifyRequest, messages: Messages): Errors =>
  Object.fromEntries(
    Object.entries(messages).map(([field, list]) => [field, list.map((each) => request.translate(each))]),
  )

const owner = 'flash'

// Messages of an earlier submission that no page showed. Beside those of this one, they would be wrong.
const cleared = { notice: undefined, alert: undefined, errors: undefined, retryAfter: undefined } as const
const isSubmission = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD'

/** Flash messages and form errors in an encrypted cookie, which works for guests and needs no table. */
export default fp<{ keys: Keys }>(
  async (app, { keys }) => {
    const { seal, open } = createSealing(keys)
    const opened = (cookie: string | undefined) =>
      (parseJson((cookie && open(cookie, owner)) || 'null') ?? null) as FlashState | null

    app.decorateRequest('flashState')

    const stateOf = (request: FastifyRequest) => {
      if (request.flashState === undefined) {
        const state = opened(request.cookie('flash'))
        request.flashState = state && isSubmission(request) ? { ...state, ...cleared } : state
      }
      return request.flashState
    }

    app.decorateReply('flash', function (state) {
      const all = { ...stateOf(this.request), ...state } // a second redirect must not lose the flash of the first
      this.request.flashState = all
      return this.setHostCookie('flash', seal(JSON.stringify(all), owner))
    })
    app.decorateReply('notice', function (notice) {
      return this.flash({ notice })
    })
    app.decorateReply('alert', function (alert) {
      return this.flash({ alert })
    })
    app.decorate('flashStore', {
      read(request: FastifyRequest) {
        const flash = stateOf(request)
        if (!flash) return undefined
        const { notice, alert, errors, ...state } = flash
        return {
          ...state,
          ...(notice && { notice: request.translate(notice) }),
          ...(alert && { alert: request.translate(alert) }),
          ...(errors && { errors: translateErrors(request, errors) }),
        }
      },
      clear: (request: FastifyRequest, reply: FastifyReply) => {
        const { retryAfter } = stateOf(request) ?? {}
        if (retryAfter) reply.header('retry-after', retryAfter)
        return reply.clearHostCookie('flash')
      },
    })
  },
  { name: 'flash', dependencies: ['cookies', 'languages'] },
)
