import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import inertia, { type Carried, createDocument, type InertiaOptions } from '../../../plugins/inertia/index.ts'

export const origin = 'https://app.example.com'

export const document = createDocument({
  appName: 'Tea & Co',
  script: 'theme()',
  nonce: () => 'N0NCE',
  tags: (component) => `<script type="module" src="/assets/main.js" data-for="${component}"></script>`,
})

type Given = Partial<InertiaOptions> & { carried?: Carried }

/** A site with the plugin and nothing else; what waits for the next page waits in `waiting.carried`. */
export async function startSite(t: Test, routes: (app: FastifyInstance) => void, { carried, ...options }: Given = {}) {
  const waiting: { carried?: Carried | undefined } = { carried }
  const warnings: { prop?: string; msg: string }[] = []
  const stream = { write: (line: string) => warnings.push(JSON.parse(line)) }
  const app = Fastify({ logger: { level: 'warn', stream }, routerOptions: { ignoreTrailingSlash: true } })
  t.teardown(() => app.close())

  app.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
    const status = error.statusCode ?? 500
    return reply.code(status).type('text/plain').send(`error ${status}`)
  })
  await app.register(inertia, {
    origin,
    version: 'v1',
    encryptHistory: false,
    carrier: {
      read: () => waiting.carried,
      clear: (_request, reply) => {
        waiting.carried = undefined
        reply.header('set-cookie', 'flash=; Max-Age=0')
      },
    },
    document,
    ...options,
  })
  routes(app)
  return { app, waiting, warnings, ...visitor(app) }
}

type Headers = Record<string, string>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'

const visitor = (app: FastifyInstance) => {
  const load = (url: string, headers: Headers = {}, method: Method = 'GET') => app.inject({ url, headers, method })
  const visit = (url: string, headers: Headers = {}, method: Method = 'GET') =>
    load(url, { 'x-inertia': 'true', 'x-inertia-version': 'v1', ...headers }, method)
  /** What the client gets that shows `component` already and asks for some of it. */
  const reload = async (url: string, component: string, headers: Headers) =>
    (await visit(url, { 'x-inertia-partial-component': component, ...headers })).json()
  return { load, visit, reload }
}

/** The page object out of a document. */
export function embedded(html: string) {
  const [, json] = html.match(/<script data-page="app" type="application\/json">(.*?)<\/script>/s) ?? []
  return JSON.parse(json ?? 'null')
}
