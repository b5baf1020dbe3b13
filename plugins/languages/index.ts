import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import Negotiator from 'negotiator'
import { type Catalog, readCatalogs } from './catalogs.ts'
import type { Text } from './text.ts'
import { translateText } from './translate-text.ts'

export type { Catalog } from './catalogs.ts'
export { raw, type Text, text } from './text.ts'
export { translateText } from './translate-text.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The languages that people can choose. The first is the default. */
    languages: Map<string, Catalog>
    languageOf(tag: string | null | undefined): Catalog
  }
  interface FastifyRequest {
    /** What the reader chose, the browser's cookie, what the browser asks for, or the default. */
    readonly language: Catalog
    translate(text: Text | string): string
  }
}

const maxHeaderLength = 500 // characters, of which browsers send 50
const maxHeaders = 1_000

/** Adds `request.language`. Empty `tags` stands for all languages that have a file. */
export default fp<{ tags: string[] }>(
  async (app, { tags }) => {
    const all = await readCatalogs()
    const chosen = tags.length > 0 ? tags : [...all.keys()]
    const languages = new Map(chosen.flatMap((tag) => [...all].filter(([known]) => known === tag)))
    const [fallback] = languages.values()
    if (!fallback) throw new Error('there is no language')
    const known = (tag: string | null | undefined) => (tag ? languages.get(tag) : undefined)

    const negotiated = new Map<string, Catalog>() // browsers send few different headers, with every request
    function accepted(header: string) {
      const before = negotiated.get(header)
      if (before) return before
      const [best] = new Negotiator({ headers: { 'accept-language': header } }).languages([...languages.keys()])
      const language = known(best) ?? fallback
      if (negotiated.size === maxHeaders) negotiated.clear()
      negotiated.set(header, language as Catalog)
      return language
    }

    app.decorate('languages', languages)
    app.decorate('languageOf', (tag) => known(tag) ?? fallback)
    app.decorateRequest('language', {
      getter(this: FastifyRequest) {
        // Where no route matches, no plugin has read the session or the cookies.
        const { auth, headers } = this as Partial<FastifyRequest> & FastifyRequest
        const [, cookie] = /(?:^|; ?)language=([\w-]+)/.exec(headers.cookie ?? '') ?? []
        return (
          known(auth?.user.language) ??
          known(cookie) ??
          accepted((headers['accept-language'] ?? '').slice(0, maxHeaderLength)) ??
          fallback
        )
      },
    })
    app.decorateRequest('translate', function (given) {
      return translateText(this.language, typeof given === 'string' ? { text: given } : given)
    })
  },
  { name: 'languages' },
)

/** Whether people read the response. Errors in JSON are for programs, and stay English. */
export const isForPeople = (reply: FastifyReply) =>
  reply.hasHeader('x-inertia') ||
  reply.hasHeader('precognition') ||
  String(reply.getHeader('content-type') ?? '').startsWith('text/html')

export const rendererContext = ({ language }: FastifyRequest) => ({ tag: language.tag })

/** Not of a partial reload: a new document would take a form from someone who is typing. */
export const hasOtherLanguage = ({ language, headers }: FastifyRequest) =>
  headers['x-language'] !== undefined &&
  headers['x-language'] !== language.tag &&
  headers['x-inertia-partial-component'] === undefined
