import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { transformWithOxc } from 'vite'
import type { Renderer } from '../../plugins/inertia/index.ts'
import type { Config } from '../../server/config.ts'
import { documentsOf, type Frontend, siteOf } from '../../server/frontend.ts'
import { errorPage } from './page.ts'

export type Render = (page: object, context?: object) => ReturnType<Renderer['render']>

const firstScript = fileURLToPath(new URL('../../pages/first-script.ts', import.meta.url))

/** Pages from their sources. */
export const frontendOf =
  (render: Render) =>
  async (app: FastifyInstance, config: Config): Promise<Frontend> => {
    showErrors(app)
    const { ssr, origin } = config
    const site = siteOf(app, config)
    const renderer: Renderer = {
      render: (page, { context } = {}) => render(page, { ...site, ...context }),
      close: async () => {},
    }
    const { code } = await transformWithOxc(await readFile(firstScript, 'utf8'), firstScript)
    return {
      version: 'development',
      document: documentsOf(app, config, code, ({ nonce }) => tags(nonce)),
      connect: [origin.replace('http', 'ws')],
      ...(ssr.enabled && { renderer }),
    }
  }

/** Shows what went wrong instead of the error page of production. Clients that prefer JSON get what they always get. */
function showErrors(app: FastifyInstance) {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { fault } = request
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
    if (reply.statusCode !== 500 || !(fault instanceof Error) || !isPage) return done(null, payload)
    reply.removeHeader('content-length')
    done(null, errorPage(fault, reply.nonce))
  })
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
