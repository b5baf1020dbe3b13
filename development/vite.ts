import type { FastifyInstance } from 'fastify'
import { createServer } from 'vite'
import type { Config } from '../server/config.ts'
import { documentOf, type Frontend } from '../server/frontend.ts'

/** Serves pages from their sources with hot reload. Vite runs in this process, on the same port. */
export async function viteFrontend(app: FastifyInstance, { appName, ssr, origin }: Config): Promise<Frontend> {
  const vite = await createServer({
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
    logLevel: 'warn',
  })
  app.addHook('onClose', () => vite.close())
  // Vite answers requests for its own files and calls back for all others.
  app.addHook('onRequest', (request, reply, done) => vite.middlewares(request.raw, reply.raw, () => done()))

  const frontend = {
    version: 'development',
    document: documentOf({ appName, origin }, tags),
    connect: [origin.replace('http', 'ws')],
  }
  if (!ssr.enabled) return frontend
  return {
    ...frontend,
    renderer: {
      render: async (page) => (await vite.ssrLoadModule('/pages/ssr.tsx')).default(page, { appName }),
      close: async () => {},
    },
  }
}

// Vite reads the nonce for its style elements from this meta element.
const tags = (_component: string, nonce: string) => `
  <meta property="csp-nonce" nonce="${nonce}">
  <script type="module" nonce="${nonce}">
    import { injectIntoGlobalHook } from '/assets/@react-refresh'
    injectIntoGlobalHook(window)
    window.$RefreshReg$ = () => {}
    window.$RefreshSig$ = () => (type) => type
  </script>
  <script type="module" src="/assets/@vite/client"></script>
  <script type="module" src="/assets/pages/main.tsx"></script>`
