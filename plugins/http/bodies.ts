import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'
import { promisify } from 'node:util'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { readBody, unacceptableBody } from './read-body.ts'

const maxBytes = 1_048_576
const maxValues = 10_000 // far more than any form of ours

/** Accepts JSON and url-encoded forms, and nothing else. */
export default fp(async (app) => {
  acceptJson(app)
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (_request: FastifyRequest, message: IncomingMessage) => parse(String(await readBody(message, { maxBytes }))),
  )
})

/** Accepts JSON alone. Many clients send its content type with an empty body, which is an empty object. */
export function acceptJson(app: FastifyInstance) {
  app.removeAllContentTypeParsers() // Fastify's own keep each chunk of a body apart
  const parseJson = promisify<FastifyRequest, string, unknown>(app.getDefaultJsonParser('error', 'error'))
  app.addContentTypeParser('application/json', async (request: FastifyRequest, message: IncomingMessage) => {
    const body = String(await readBody(message, { maxBytes }))
    if (body === '') return {}
    if (holdsTooMuch(body)) throw unacceptableBody('a body holds too many values')
    return parseJson(request, body)
  })
}

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
