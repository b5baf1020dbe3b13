import { parse } from 'node:querystring'
import fp from 'fastify-plugin'

export const unacceptableBody = (message: string, statusCode = 400) => Object.assign(new Error(message), { statusCode })

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The status for a JSON body that holds too much, where the contract has one for a wrong value. */
    tooMuchStatus?: 400
  }
}

const maxNames = 1_000
const maxValues = 10_000 // in all lists and objects of a JSON body

/**
 * Accepts JSON and url-encoded forms of at most 1,000 names. They are counted in the bytes, because parsing 1 MiB of
 * names or brackets takes thirty times as long as parsing a text of that length. An empty JSON body becomes an empty
 * object, because many clients send the header even when they have nothing to send.
 */
export default fp(async (app) => {
  const asBytes = { parseAs: 'buffer' } as const
  app.addContentTypeParser<Buffer>('application/x-www-form-urlencoded', asBytes, (_request, body, done) => {
    if (hasMoreNames(body)) return done(tooMuch())
    replacePluses(body)
    done(null, parse(body.toString()))
  })
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', asBytes, (request, body, done) => {
    if (body.length === 0) return done(null, {})
    if (holdsTooMuch(body)) return done(tooMuch(request.routeOptions.config.tooMuchStatus))
    parseJson(request, body.toString(), done)
  })
})

/** More than any form of ours. Each name and each value costs far more than a byte of a long text. */
const tooMuch = (status = 413) => unacceptableBody('a body holds too many names or values', status)

const codeOf = (character: string) => character.charCodeAt(0)
const [quote, backslash, colon, comma] = ['"', '\\', ':', ','].map(codeOf) as [number, number, number, number]
const [bracket, brace, ampersand] = ['[', '{', '&'].map(codeOf) as [number, number, number]
const [plus, space] = ['+', ' '].map(codeOf) as [number, number]

function hasMoreNames(form: Buffer) {
  let names = 1
  for (let at = form.indexOf(ampersand); at !== -1; at = form.indexOf(ampersand, at + 1)) {
    if (++names > maxNames) return true
  }
  return false
}

/** The parser does the same, but joins a piece of text for each, which takes ten times as long as all the rest. */
function replacePluses(form: Buffer) {
  const first = form.indexOf(plus)
  for (let at = first === -1 ? form.length : first; at < form.length; at++) if (form[at] === plus) form[at] = space
}

/** Counts what stands outside of strings: colons for names, and whatever begins or separates values. */
function holdsTooMuch(json: Buffer) {
  let names = 0
  let values = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === quote) at = endOfString(json, at)
    else if (byte === colon) names++
    else if (byte === comma || byte === bracket || byte === brace) values++
    if (names > maxNames || values > maxValues) return true
  }
  return false
}

function endOfString(json: Buffer, start: number) {
  let at = start + 1
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at
}
