import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { themeScript } from '../pages/theme-script.ts'
import { tell } from '../plugins/happenings.ts'
import { createDocument, createRenderer, type Document, type Renderer, readAssets } from '../plugins/inertia/index.ts'
import type { Config } from './config.ts'

/** Where pages come from: the last build, or in development Vite. */
export type Frontend = {
  version: string
  document: Document
  renderer?: Renderer | undefined
  /** Origins besides our own that a page may connect to. */
  connect?: string[]
}

const folder = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The pages of the last build, rendered on the server when SSR is enabled. */
export async function builtFrontend(app: FastifyInstance, { appName, ssr }: Config): Promise<Frontend> {
  const assets = readAssets({ folder: folder('build/client'), entry: 'pages/main.tsx', prefix: '/assets/' })
  const document = documentOf(appName, assets.tags)
  if (!ssr.enabled) return { version: assets.version, document }

  const renderer = await createRenderer({
    entry: folder('build/ssr/ssr.js'),
    context: { appName },
    timeoutMs: ssr.timeoutMs,
    warn: (failure, message) => {
      app.log.warn(failure, message)
      if (failure.component) tell('ssr_fallback', {})
    },
  })
  app.addHook('onClose', () => renderer.close())
  return { version: assets.version, document, renderer }
}

export const documentOf = (appName: string, tags: (component: string, nonce: string) => string) =>
  createDocument({ appName, script: themeScript, nonce: (reply) => reply.nonce, tags })
