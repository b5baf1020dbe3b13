import formbody from '@fastify/formbody'
import fp from 'fastify-plugin'

/**
 * Accepts JSON and url-encoded forms. An empty JSON body becomes an empty object, because many clients send the header
 * even when they have nothing to send.
 */
export default fp(
  async (app) => {
    await app.register(formbody)
    const parseJson = app.getDefaultJsonParser('error', 'error')
    app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
      body === '' ? done(null, {}) : parseJson(request, body, done)
    })
  },
  { name: 'bodies' },
)
