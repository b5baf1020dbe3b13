import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { documentOf } from '../pages/document.ts'
import { byName } from '../pages/names.ts'
import { createRenderer, type Document, type Renderer, readAssets } from '../plugins/inertia/index.ts'
import { instrument } from '../plugins/instrumentation.ts'
import type { Config } from './config.ts'

export type Frontend = {
  version: string
  document: Document
  renderer?: Renderer | undefined
  /** Additional origins that pages may connect to. */
  connect?: string[]
}

const folder = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

export async function builtFrontend(app: FastifyInstance, config: Config): Promise<Frontend> {
  const { ssr } = config
  const assets = readAssets({ folder: folder('build/client'), entry: 'pages/main.tsx', prefix: '/assets/' })
  const pages = byName(Object.fromEntries(assets.sources.map((source) => [source.replace('pages/', ''), source])))
  const links = new Map(Array.from(app.languages.keys(), (tag) => [tag, assets.link(tag)]))
  const tagsByImports = new Map<string, string>()
  const firstScript = readFileSync(folder('build/document/first-script.js'), 'utf8')
  const document = documentsOf(app, config, firstScript, (reply, component) => {
    const { auth, language } = reply.request
    reply.header('link', links.get(language.tag))
    const imports = [auth ? 'pages/signed-in.ts' : '', pages[component] ?? '', `languages/${language.tag}.ts`]
    const tags = tagsByImports.get(imports.join()) ?? assets.tags(imports)
    tagsByImports.set(imports.join(), tags)
    return tags
  })
  if (!ssr.enabled) return { version: assets.version, document }

  const renderer = await createRenderer({
    entry: folder('build/ssr/ssr.js'),
    context: siteOf(app, config),
    timeoutMs: ssr.timeoutMs,
    warn: (failure, message) => {
      app.log.warn(failure, message)
      if (failure.component) instrument('ssr_fallback', {})
    },
  })
  app.addHook('onClose', () => renderer.close())
  return { version: assets.version, document, renderer }
}

/** The HTML of a page, in the language of its reader. `tagsFor` are those that load its scripts and styles. */
export function documentsOf(
  app: FastifyInstance,
  config: Config,
  firstScript: string,
  tagsFor: (reply: FastifyReply, component: string) => string,
): Document {
  const { origin } = config
  const documents = new Map<string, ReturnType<typeof documentOf>>()
  return (reply, rendered, component) => {
    const { language } = reply.request
    const options = [...app.registeredOptions]
    const documentFor =
      documents.get(language.tag) ?? documentOf({ ...siteOf(app, config), origin, options, language, firstScript })
    documents.set(language.tag, documentFor)
    return documentFor({ nonce: reply.nonce, tags: tagsFor(reply, component), ...rendered })
  }
}

/** What every page knows of the site, besides the options that are on. */
export const siteOf = ({ languages }: FastifyInstance, { appName, links }: Config) => ({
  appName,
  links,
  languages: Object.fromEntries(Array.from(languages.values(), ({ tag, name }) => [tag, name])),
})
