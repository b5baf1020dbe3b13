import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { type Messages, saidTo } from './flash.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route supports validate-only requests. All other routes reject them before any side effect. */
    precognition?: true
  }
  interface FastifyRequest {
    precognitive: boolean
    /** Whether the response should cover this field: always, unless a validate-only request names other fields. */
    asks(field: string): boolean
  }
  interface FastifyReply {
    /** Answers a precognitive request whose fields are all valid. */
    valid(): FastifyReply
    /** Answers a precognitive request with the messages of the fields it asked about. */
    precognize(errors: Messages): FastifyReply
  }
}

/** A precognitive request asks what a submit would say and must not change anything. */
export default fp(
  async (app) => {
    app.decorateRequest('precognitive', false)

    app.addHook('onRequest', (request, reply, done) => {
      const { precognition } = request.routeOptions.config
      request.precognitive = request.headers.precognition === 'true'
      if (precognition) vary(reply)
      else if (request.precognitive) return void reply.sendError(400, { json: true })
      done()
    })

    app.decorateRequest('asks', function (field) {
      if (!this.precognitive) return true
      return field in onlyAsked({ [field]: [] }, this.headers['precognition-validate-only'])
    })
    app.decorateReply('valid', function () {
      return this.code(204).header('precognition', 'true').header('precognition-success', 'true').send()
    })
    app.decorateReply('precognize', function (errors) {
      const asked = onlyAsked(errors, this.request.headers['precognition-validate-only'])
      if (Object.keys(asked).length === 0) return this.valid()
      return this.code(422)
        .header('precognition', 'true')
        .send({ errors: saidTo(this.request, asked) })
    })
  },
  { name: 'precognition', dependencies: ['errors'] },
)

// An empty header asks about no field, a missing one about all.
function onlyAsked(errors: Messages, header: string | string[] | undefined): Messages {
  if (header === undefined) return errors
  const fields = String(header).split(',')
  const asked = new Set(fields.map((field) => field.trim()))
  return Object.fromEntries(Object.entries(errors).filter(([field]) => asked.has(field)))
}

const vary = (reply: FastifyReply) => reply.header('vary', 'Precognition')
