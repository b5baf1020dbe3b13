import formbody from '@fastify/formbody'
import fp from 'fastify-plugin'

/** What a request may carry: JSON or a url-encoded form. An empty body that says JSON is an empty object: clients say so by habit, also where they send nothing. */
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
