import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { firstScript } from '../pages/first-script.ts'
import { footOf, headOf } from '../pages/head.ts'
import { emit } from '../plugins/events.ts'
import { createDocument, createRenderer, type Document, type Renderer, readAssets } from '../plugins/inertia/index.ts'
import type { Config } from './config.ts'

/** Where pages come from: the last build, or Vite in development. */
export type Frontend = {
  version: string
  document: Document
  renderer?: Renderer | undefined
  /** Additional origins that pages may connect to. */
  connect?: string[]
}

const folder = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The pages of the last build, rendered on the server if SSR is enabled. */
export async function builtFrontend(app: FastifyInstance, { appName, origin, ssr }: Config): Promise<Frontend> {
  const assets = readAssets({ folder: folder('build/client'), entry: 'pages/main.tsx', prefix: '/assets/' })
  const document = documentOf({ appName, origin }, assets.tags, assets.early)
  if (!ssr.enabled) return { version: assets.version, document }

  const renderer = await createRenderer({
    entry: folder('build/ssr/ssr.js'),
    context: { appName },
    timeoutMs: ssr.timeoutMs,
    warn: (failure, message) => {
      app.log.warn(failure, message)
      if (failure.component) emit('ssr_fallback', {})
    },
  })
  app.addHook('onClose', () => renderer.close())
  return { version: assets.version, document, renderer }
}

type Site = { appName: string; origin: string }
type Tags = (component: string, nonce: string) => string

export const documentOf = (site: Site, tags: Tags, early = '') =>
  createDocument({
    appName: site.appName,
    script: firstScript,
    head: headOf(site),
    foot: footOf(site),
    early,
    nonce: (reply) => reply.nonce,
    tags,
  })
