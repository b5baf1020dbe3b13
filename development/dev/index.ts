import { fileURLToPath } from 'node:url'
import { createServer as createVite, type ViteDevServer } from 'vite'
import type { Config } from '../../server/config.ts'
import { createBackend } from './backend.ts'
import { createFront } from './front.ts'
import { answer } from './renderer.ts'
import { watchSources } from './watch.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The front, Vite and the server behind them, which restarts when one of its sources changes. */
export async function startDevelopment(config: Config, environment: NodeJS.ProcessEnv) {
  const backend = createBackend({
    root,
    environment: {
      ...environment,
      HOST: config.origin,
      PORT: '0',
      BIND: '127.0.0.1',
      WEB_CONCURRENCY: '1',
      TRUST_PROXY: String(Math.min(5, config.proxies + 1)), // the front is one
    },
    answer: (question) => answer(vite, question),
    onFailure: () => console.error('The server ended, and starts again with the next change'),
  })
  const server = createFront(backend, () => vite.middlewares)
  const vite: ViteDevServer = await createVite({
    root,
    appType: 'custom',
    cacheDir: '.data/vite',
    configLoader: 'native', // the other one writes into node_modules
    server: {
      middlewareMode: true,
      hmr: { server },
      warmup: { clientFiles: ['pages/main.tsx'], ssrFiles: ['pages/ssr.tsx'] },
    },
    logLevel: 'warn',
  })

  backend.restart()
  const unwatch = await watchSources(root, async (changed) => {
    const [first, ...others] = changed
    console.log(`${first}${others.length > 0 ? ` and ${others.length} more` : ''} changed: the server restarts`)
    backend.restart()
    await backend.started()
    vite.ws.send({ type: 'full-reload' })
  })
  return {
    server,
    async stop() {
      await unwatch()
      await backend.stop()
      server.close()
      server.closeAllConnections()
      await vite.close()
    },
  }
}
