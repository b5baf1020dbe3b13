import { parse } from 'node:querystring'
import fp from 'fastify-plugin'

/** Accepts JSON and url-encoded forms. Many clients send the content type of JSON with an empty body. */
export default fp(async (app) => {
  const asText = { parseAs: 'string' } as const
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', asText, (_request, body, done) =>
    done(null, parse(body)),
  )
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', asText, (request, body, done) => {
    if (body === '') done(null, {})
    else parseJson(request, body, done)
  })
})

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
