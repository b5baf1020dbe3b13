import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Rendered } from '../../plugins/inertia/document.ts'
import type { Config } from '../../server/config.ts'
import { documentsOf, type Frontend, namesOf } from '../../server/frontend.ts'
import { stopOnce } from '../../server/parent.ts'
import { packages } from '../../server/preload.ts'
import { errorPage } from './page.ts'
import type { Answer, Question } from './renderer.ts'

// The part of `npm run dev` inside of the server, which is restarted on changes. Vite stays in the process above.

/** Ends this process if the one above is gone. */
export function followParent() {
  if (process.connected) process.once('disconnect', stopOnce)
  else stopOnce()
}

/** What the process above gets once the server listens: where to forward requests, and what it has loaded. */
export type Listening = { port: number; packages: string[] }

export function reportListening(address: string) {
  const loaded = [...packages.keys()].filter((name) => !/^(node|file):|\.json$/.test(name))
  process.send?.({ port: Number(new URL(address).port), packages: loaded } satisfies Listening)
}

/** Pages from their sources, rendered by the process above. */
export async function hotFrontend(app: FastifyInstance, { appName, ssr, origin }: Config): Promise<Frontend> {
  showErrors(app)
  const frontend = {
    version: 'development',
    document: documentsOf(app, { appName, origin }, ({ nonce }) => tags(nonce)),
    connect: [origin.replace('http', 'ws')],
  }
  return ssr.enabled ? { ...frontend, renderer: rendererAbove({ appName, languages: namesOf(app) }) } : frontend
}

/** Shows what went wrong instead of the error page of production. Clients that prefer JSON get what they always get. */
function showErrors(app: FastifyInstance) {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { fault } = request
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
    if (reply.statusCode !== 500 || !(fault instanceof Error) || !isPage) return done(null, payload)
    reply.removeHeader('content-length')
    done(null, errorPage(`${fault.name}: ${fault.message}`, fault.stack ?? '', reply.nonce))
  })
}

function rendererAbove(site: object) {
  const waiting = new Map<string, PromiseWithResolvers<Rendered>>()
  process.on('message', ({ id, rendered, error }: Answer) => {
    const asked = waiting.get(id)
    waiting.delete(id)
    if (rendered) asked?.resolve(rendered)
    else asked?.reject(Object.assign(new Error(error?.message), error))
  })
  return {
    render(page: Question['page'], context?: object) {
      const id = randomUUID()
      const answer = Promise.withResolvers<Rendered>()
      waiting.set(id, answer)
      process.send?.({ id, page, context: { ...site, ...context } } satisfies Question)
      return answer.promise
    },
    close: async () => {},
  }
}

// Vite reads the nonce for its style elements from this meta element.
const tags = (nonce: string) => `
  <meta property="csp-nonce" nonce="${nonce}">
  <script type="module" nonce="${nonce}">
    import { injectIntoGlobalHook } from '/assets/@react-refresh'
    injectIntoGlobalHook(window)
    window.$RefreshReg$ = () => {}
    window.$RefreshSig$ = () => (type) => type
  </script>
  <script type="module" src="/assets/@vite/client"></script>
  <script type="module" src="/assets/pages/main.tsx"></script>`
