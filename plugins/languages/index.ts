import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import Negotiator from 'negotiator'
import { appendVary } from '../inertia/headers.ts'
import { memoize } from '../memoize.ts'
import { type Catalog, readCatalogs } from './catalogs.ts'
import type { Text } from './text.ts'
import { translateText } from './translate-text.ts'

export type { Catalog } from './catalogs.ts'
export { type Text, text, verbatim } from './text.ts'
export { translateText } from './translate-text.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The languages that people can choose. The first is the default. */
    languages: Map<string, Catalog>
    /** The language with this tag, or the default. */
    languageOf(tag: string | null | undefined): Catalog
  }
  interface FastifyRequest {
    /** What the reader chose, the browser's cookie, what the browser asks for, or the default. */
    readonly language: Catalog
    /** The text as the reader of the response reads it. */
    translate(text: Text | string): string
  }
}

const maxHeaderLength = 500 // characters, of which browsers send 50
const maxHeaders = 1_000 // remembered; anyone can invent more

/** Decides which language a response speaks. Empty `tags` stands for all that have a file. */
export default fp<{ tags: string[] }>(
  async (app, { tags }) => {
    const all = await readCatalogs()
    const chosen = tags.length > 0 ? tags : [...all.keys()]
    const languages = new Map(chosen.flatMap((tag) => [...all].filter(([known]) => known === tag)))
    const [fallback] = languages.values()
    if (!fallback) throw new Error('there is no language')
    const offered = [...languages.keys()]

    // Browsers send few different headers, and each of them with every request.
    const negotiate = memoize((header) => {
      const accepted = new Negotiator({ headers: { 'accept-language': header } })
      const [best] = accepted.languages(offered)
      return best === undefined ? undefined : languages.get(best)
    }, maxHeaders)
    const accepted = (header: string | undefined) => (header ? negotiate(header.slice(0, maxHeaderLength)) : undefined)
    const known = (tag: string | null | undefined) => (tag ? languages.get(tag) : undefined)

    app.decorate('languages', languages)
    app.decorate('languageOf', (tag) => known(tag) ?? fallback)
    app.decorateRequest('language', {
      getter(this: FastifyRequest) {
        // An error may be answered before cookies were read.
        const { auth, cookies, headers } = this as Partial<FastifyRequest> & FastifyRequest
        return (
          known(auth?.user.language) ?? known(cookies?.language) ?? accepted(headers['accept-language']) ?? fallback
        )
      },
    })
    app.decorateRequest('translate', function (given) {
      return translateText(this.language, typeof given === 'string' ? { text: given } : given)
    })

    app.addHook('onSend', (request, reply, _payload, done) => {
      if (isRead(reply.getHeader('content-type'), reply.hasHeader('x-inertia') || reply.hasHeader('precognition'))) {
        reply.header('content-language', request.language.tag)
        if (!request.auth) appendVary(reply, 'Accept-Language')
      }
      done()
    })
  },
  { name: 'languages' },
)

/** Whether a response has words for people in it. Errors in JSON are for programs, and stay English. */
const isRead = (type: unknown, isPage: boolean) => isPage || String(type ?? '').startsWith('text/html')
