import fp from 'fastify-plugin'
import { type Messages, translateErrors } from './flash.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route supports validate-only requests. All other routes reject them before any side effect. */
    precognition?: boolean
  }
  interface FastifyRequest {
    precognitive: boolean
    asks(field: string): boolean
  }
  interface FastifyReply {
    valid(): FastifyReply
    precognize(errors: Messages): FastifyReply
  }
}

export default fp(
  async (app) => {
    app.decorateRequest('precognitive', false)

    app.addHook('onRequest', (request, reply, done) => {
      const { precognition } = request.routeOptions.config
      request.precognitive = request.headers.precognition === 'true'
      if (precognition) reply.header('vary', 'Precognition')
      else if (request.precognitive) {
        reply.sendError(400, { json: true })
        return
      }
      done()
    })

    app.decorateRequest('asks', function (field) {
      const only = this.headers['precognition-validate-only']
      // An empty header asks about no field, a missing one about all.
      return !this.precognitive || only === undefined || namesIn(String(only)).includes(field)
    })
    app.decorateReply('valid', function () {
      return this.code(204).header('precognition', 'true').header('precognition-success', 'true').send()
    })
    app.decorateReply('precognize', function (errors) {
      const messages = Object.fromEntries(Object.entries(errors).filter(([field]) => this.request.asks(field)))
      if (Object.keys(messages).length === 0) return this.valid()
      return this.code(422)
        .header('precognition', 'true')
        .send({ errors: translateErrors(this.request, messages) })
    })
  },
  { name: 'precognition', dependencies: ['errors'] },
)

const namesIn = (header: string) => header.split(',').map((name) => name.trim())
