import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { firstScriptIn } from '../pages/first-script.ts'
import { footOf, headOf } from '../pages/head.ts'
import { createDocument, createRenderer, type Document, type Renderer, readAssets } from '../plugins/inertia/index.ts'
import { instrument } from '../plugins/instrumentation.ts'
import type { Catalog } from '../plugins/languages/index.ts'
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
  const tagsIn =
    ({ tag }: Catalog): Tags =>
    (component) =>
      assets.tags(component, tag === 'en' ? [] : ['virtual:words', `pages/${component}.page.tsx?words=${tag}`])
  const document = documentOf(app, { appName, origin }, tagsIn, assets.early)
  if (!ssr.enabled) return { version: assets.version, document }

  const renderer = await createRenderer({
    entry: folder('build/ssr/ssr.js'),
    context: { appName, languages: namesOf(app) },
    timeoutMs: ssr.timeoutMs,
    warn: (failure, message) => {
      app.log.warn(failure, message)
      if (failure.component) instrument('ssr_fallback', {})
    },
  })
  app.addHook('onClose', () => renderer.close())
  return { version: assets.version, document, renderer }
}

type Site = { appName: string; origin: string }
type Tags = (component: string, nonce: string) => string

/** What a reader can choose from. */
export const namesOf = ({ languages }: FastifyInstance) =>
  Object.fromEntries(Array.from(languages.values(), ({ tag, name }) => [tag, name]))

/**
 * JSON in Latin-1, also in memory: a single letter beyond it makes V8 keep and write the whole document as two bytes
 * per letter, and what is cut from such a text stays that wide.
 */
function inLatin1(value: object) {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return Buffer.from(JSON.stringify(value).replace(/[^\0-\xff]/g, escaped), 'latin1').toString('latin1')
}

/** A document for each language, so that nothing of it is put together again for each response. */
export function documentOf(
  app: FastifyInstance,
  site: Site,
  tagsIn: (language: Catalog) => Tags,
  early = '',
): Document {
  const documents = new Map(
    Array.from(app.languages.values(), (language) => [
      language.tag,
      createDocument({
        appName: site.appName,
        language,
        script: firstScriptIn(language),
        head: headOf(site, language) + html`<meta name="languages" content="${inLatin1(namesOf(app))}">`,
        foot: footOf(site, language),
        early,
        nonce: (reply) => reply.nonce,
        tags: tagsIn(language),
      }),
    ]),
  )
  return (reply, component, rendered) => {
    const document = documents.get(reply.request.language.tag)
    if (!document) throw new Error('every language has a document')
    return document(reply, component, rendered)
  }
}
