import { parse } from 'node:querystring'
import fp from 'fastify-plugin'

const maxValues = 10_000 // far more than any form of ours

/** Accepts JSON and url-encoded forms. Many clients send the content type of JSON with an empty body. */
export default fp(async (app) => {
  const asText = { parseAs: 'string' } as const
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', asText, (_request, body, done) =>
    done(null, parse(body)),
  )
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', asText, (request, body, done) => {
    if (body === '') return done(null, {})
    if (holdsTooMuch(body)) return done(Object.assign(new Error('a body holds too many values'), { statusCode: 400 }))
    parseJson(request, body, done)
  })
})

/** Counts what begins or separates values: to parse a mebibyte of brackets takes twenty times as long as a text. */
function holdsTooMuch(json: string) {
  let values = 0
  let isText = false
  for (let at = 0; at < json.length && values <= maxValues; at++) {
    const character = json.charAt(at)
    if (character === '"') isText = !isText
    else if (isText) at += character === '\\' ? 1 : 0
    else if (',[{'.includes(character)) values++
  }
  return values > maxValues
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
