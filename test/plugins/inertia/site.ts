import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import inertia, { type Document, type FlashState, type InertiaOptions } from '../../../plugins/inertia/index.ts'

declare module '../../../plugins/inertia/pages.ts' {
  interface Pages {
    /** Accepts any props. */
    'test/any': Record<string, unknown>
    'test/other': Record<string, unknown>
  }
}

export const origin = 'https://app.example.com'

const document: Document = (_reply, { head, body }) =>
  `<!doctype html><html><head>${head.join('')}</head><body>${body}</body></html>`

type Given = Partial<InertiaOptions> & { stored?: FlashState }
type Entry = { level: number; prop?: string }

/** A site with the plugin and a test's routes. `waiting.stored` is what the next page delivers. */
export async function startSite(t: Test, routes: (app: FastifyInstance) => void, { stored, ...options }: Given = {}) {
  const waiting: { stored?: FlashState | undefined } = { stored }
  const log: Entry[] = []
  const stream = { write: (line: string) => log.push(JSON.parse(line)) }
  const app = Fastify({ logger: { level: 'warn', stream }, routerOptions: { ignoreTrailingSlash: true } })
  t.teardown(() => app.close())

  app.setErrorHandler<{ statusCode?: number }>(({ statusCode = 500 }, _request, reply) =>
    reply.code(statusCode).type('text/plain').send(`error ${statusCode}`),
  )
  await app.register(inertia, {
    origin,
    version: 'v1',
    encryptHistory: false,
    flashStore: {
      read: () => waiting.stored,
      clear: (_request, reply) => {
        waiting.stored = undefined
        reply.header('set-cookie', 'flash=; Max-Age=0')
      },
    },
    document,
    ...options,
  })
  routes(app)
  return { app, waiting, log, ...browser(app) }
}

export type Headers = Record<string, string>
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'

function browser(app: FastifyInstance) {
  const load = (url: string, headers: Headers = {}, method: Method = 'GET') => app.inject({ url, headers, method })
  const visit = (url: string, headers: Headers = {}, method: Method = 'GET') =>
    load(url, { 'x-inertia': 'true', 'x-inertia-version': 'v1', ...headers }, method)
  /** The page object of a partial reload of the test page. */
  const reload = async (headers: Headers) =>
    (await visit('/', { 'x-inertia-partial-component': 'test/any', ...headers })).json()
  return { load, visit, reload }
}

/** A site whose home page has these props. */
export const startPage = (t: Test, props: () => Record<string, unknown>, options?: Given) =>
  startSite(t, (app) => app.get('/', (_request, reply) => reply.page('test/any', props())), options)

/** The page object embedded in a document. */
export function embedded(html: string) {
  const [, json = 'null'] = html.match(/<script data-page="app" type="application\/json">(.*?)<\/script>/s) ?? []
  return JSON.parse(json)
}

/** A closure that counts its calls. */
export function counted<T>(value: T) {
  const closure = () => {
    closure.calls++
    return value
  }
  closure.calls = 0
  return closure
}

/** Fails if one of these properties is there. */
export const lacks = (t: Test, given: object, names: string[]) => t.notOk(names.find((name) => name in given))
