import { createServer } from 'node:http'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import pretty from 'pino-pretty'
import { createServerModuleRunner, createServer as createVite } from 'vite'
import { errorPage } from './page.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pauseMs = 100 // without a change: git and editors write several files

// The server reads some of these without an import, such as migrations. What it imports is known by itself.
const folders =
  /^(brand|server|plugins|features|drizzle|development|examples|languages|pages\/public)\/|^pages\/first-script\.ts$/
const kinds = /\.(ts|js|json|sql|bin|html)$/

/** The address that a browser uses, with Vite and the newest version of the application behind it. */
export async function startDevelopment(environment: NodeJS.ProcessEnv, examples = false) {
  const server = createServer((request, response) =>
    vite.middlewares(request, response, async () => {
      try {
        ;(await current).routing(request, response)
      } catch (error) {
        request.resume()
        response.writeHead(500, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
        response.end(errorPage(error as Error))
      }
    }),
  )
  const vite = await createVite({
    root,
    appType: 'custom',
    cacheDir: '.data/vite',
    plugins: examples ? [(await import('../../examples/vite.ts')).examplePages] : [],
    configLoader: 'native', // the other one writes into node_modules
    server: {
      middlewareMode: true,
      hmr: { server },
      watch: { ignored: ['**/.data/**', '**/.tap/**'] }, // the files of databases, mails and tests
      warmup: { clientFiles: ['pages/main.tsx'], ssrFiles: ['pages/ssr.tsx'] },
    },
    logLevel: 'warn',
  })
  const runner = createServerModuleRunner(vite.environments.ssr, { hmr: false })
  const logTo = pretty({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss', sync: true })
  let current: Promise<FastifyInstance>
  // The browser then shows the error instead of a page, so Vite's client has nothing to update.
  let hasFailed = false

  async function start(): Promise<FastifyInstance> {
    runner.clearCache()
    const { start } = await runner.import('/development/dev/app.ts')
    return start({ environment, render, logTo, examples })
  }

  async function render(page: object, context?: object) {
    try {
      const { default: render } = await vite.ssrLoadModule('/pages/ssr.tsx', { fixStacktrace: true })
      return await render(page, context)
    } catch (error) {
      hasFailed = true
      throw error
    }
  }

  function isSource(file: string) {
    const path = relative(root, file).split(sep).join('/')
    return (kinds.test(path) && folders.test(path)) || runner.evaluatedModules.getModulesByFile(file) !== undefined
  }

  function restart() {
    hasFailed = false
    current?.then((app) => app.close()).catch(() => {})
    const started = start()
    current = started
    const tellBrowser = () => started === current && vite.ws.send({ type: 'full-reload' })
    started.then(tellBrowser, (error) => {
      console.error(error)
      console.error('The server failed, and starts again with the next change')
      hasFailed = true
      tellBrowser()
    })
  }

  let timer: NodeJS.Timeout | undefined
  vite.watcher.on('all', (_event, file) => {
    if (!hasFailed && !isSource(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      console.log(`${relative(root, file)} changed: the server restarts`)
      restart()
    }, pauseMs)
  })
  restart()

  return {
    server,
    async stop() {
      clearTimeout(timer)
      server.close()
      await current.then((app) => app.close()).catch(() => {})
      server.closeAllConnections()
      await vite.close()
    },
  }
}
