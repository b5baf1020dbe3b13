import { readdirSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import Negotiator from 'negotiator'
import type { Moment, Text, Value } from './text.ts'
import { latin, type Speech, translate } from './translate.ts'

export { raw, type Text, text } from './text.ts'

export type Catalog = Speech & { name: string }

export type Language = Omit<Catalog, 'tag'>

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

type Reader = Pick<FastifyRequest, 'headers'> & { auth?: { user: { language: string | null } } | null }

/** Adds `request.language`. Empty `tags` stands for all languages that have a file. */
export default fp<{ tags: string[] }>(
  async (app, { tags }) => {
    const all = await readCatalogs()
    const chosen = tags.length > 0 ? tags : [...all.keys()]
    const languages = new Map(chosen.flatMap((tag) => [...all].filter(([fileTag]) => fileTag === tag)))
    const [fallback] = languages.values()
    if (!fallback) throw new Error('there is no language')
    const languageFor = (tag: string | null | undefined) => (tag ? languages.get(tag) : undefined)

    function accepted(header = '') {
      const headers = { 'accept-language': header.slice(0, maxHeaderLength) }
      const [best] = new Negotiator({ headers }).languages([...languages.keys()])
      return languageFor(best)
    }

    app.decorate('languages', languages)
    app.decorate('languageOf', (tag) => languageFor(tag) ?? fallback)
    app.decorateRequest('language', {
      getter(this: FastifyRequest) {
        // Where no route matches, no plugin has read the session or the cookies.
        const { auth, headers }: Reader = this
        const [, cookie] = /(?:^|; ?)language=([\w-]+)/.exec(headers.cookie ?? '') ?? []
        return (
          languageFor(auth?.user.language) ?? languageFor(cookie) ?? accepted(headers['accept-language']) ?? fallback
        )
      },
    })
    app.decorateRequest('translate', function (message) {
      return translateText(this.language, typeof message === 'string' ? { text: message } : message)
    })
  },
  { name: 'languages' },
)

/** Whether people read the response. Errors in JSON are for programs, and stay English. */
export const isForPeople = (reply: FastifyReply) =>
  reply.hasHeader('x-inertia') ||
  reply.hasHeader('precognition') ||
  String(reply.getHeader('content-type') ?? '').startsWith('text/html')

/** Not of a partial reload: a new document would take a form from someone who is typing. */
export const hasOtherLanguage = ({ language, headers }: FastifyRequest) =>
  headers['x-language'] !== undefined &&
  headers['x-language'] !== language.tag &&
  headers['x-inertia-partial-component'] === undefined

const folder = new URL('../../languages/', import.meta.url)

export async function readCatalogs(): Promise<Map<string, Catalog>> {
  const tags = readdirSync(folder).flatMap((file) => /^([a-z]{2,3}(?:-[A-Za-z]+)?)\.ts$/.exec(file)?.[1] ?? [])
  const first = tags.sort((a, b) => Number(b === 'en') - Number(a === 'en') || a.localeCompare(b))
  const read = first.map(async (tag): Promise<[string, Catalog]> => {
    const { default: language }: { default: Language } = await import(
      /* @vite-ignore */ new URL(`${tag}.ts`, folder).href
    )
    return [tag, { tag, ...language }]
  })
  return new Map(await Promise.all(read))
}

export const translateText = (speech: Speech, { text, values }: Text): string =>
  translate(
    speech,
    text,
    values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(speech, value)])),
  )

function plain(speech: Speech, value: Value): string | number {
  if (typeof value !== 'object') return value
  if ('text' in value) return translateText(speech, value)
  if ('precision' in value) return written(speech, value)
  return new Intl.ListFormat(speech.tag).format(value.map((each) => translateText(speech, each)))
}

// Mails are read anywhere, so times name their zone.
const written = ({ tag }: Speech, { at, precision }: Moment) =>
  new Intl.DateTimeFormat(latin(tag), {
    dateStyle: 'long',
    ...(precision === 'second' && { timeStyle: 'long' }),
    timeZone: 'UTC',
  }).format(at)

export const betweenTags = /(?<=>)[^<>]*[^<>\s][^<>]*(?=<)/g

export const translateHtml = (html: string, speech: Speech) =>
  html
    .replace('<html lang="en">', `<html lang="${speech.tag}" dir="${speech.dir}">`)
    .replace(betweenTags, (words) => translate(speech, words.replace(/\s+/g, ' ').trim()))
