import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Manifest } from 'vite'

export interface Assets {
  /** Changes with every build that differs. */
  version: string
  /** A `Link` header with the stylesheet and the first typeface, so browsers request them before they parse any tag. */
  early: string
  /** The tags that load a page's code and styles, and what `besides` names by its source. */
  tags(component: string, besides?: string[]): string
}

export interface AssetsOptions {
  /** The client build's output folder. */
  folder: string
  /** The source of the entry. Pages are relative to it: `area/name` is `area/name.page.tsx`. */
  entry: string
  /** URL prefix for the manifest's file names. */
  prefix: string
}

/** Reads the manifest of Vite's client build. */
export function readAssets({ folder, entry, prefix }: AssetsOptions): Assets {
  const content = readFileSync(join(folder, '.vite/manifest.json'), 'utf8')
  const manifest: Manifest = JSON.parse(content)
  if (!manifest[entry]) throw new Error(`The build in ${folder} has no entry ${entry}`)

  const known = new Map<string, string>()
  return {
    early: earlyLinks(manifest, entry, prefix),
    version: hash('sha256', content, 'base64url').slice(0, 16),
    tags(component, besides = []) {
      const key = [component, ...besides].join()
      const page = `${dirname(entry)}/${component}.page.tsx`
      const tags = known.get(key) ?? tagsOf(manifest, entry, [page, ...besides], prefix)
      known.set(key, tags)
      return tags
    },
  }
}

function earlyLinks(manifest: Manifest, entry: string, prefix: string) {
  const styles = stylesOf(manifest, chunksFrom(manifest, entry))
  const fonts = Object.values(manifest).flatMap(({ file, src = '' }) => (isFirstTypeface(src) ? [file] : []))
  return [
    ...Array.from(styles, (file) => `<${prefix}${file}>; rel=preload; as=style`),
    ...fonts.map((file) => `<${prefix}${file}>; rel=preload; as=font; type="font/woff2"; crossorigin`),
  ].join(', ')
}

// Characters beyond Western Europe are in separate font files, which most pages never need.
const isFirstTypeface = (src: string) => src.endsWith('.woff2') && !/-(ext|arabic)-/.test(src)

function tagsOf(manifest: Manifest, entry: string, sources: string[], prefix: string) {
  const chunks = [entry, ...sources].flatMap((source) => chunksFrom(manifest, source))
  const files = new Set(chunks.map(({ file }) => file))
  const styles = stylesOf(manifest, chunks)

  const [main, ...preloads] = files
  // Browsers would give modules and stylesheets equal shares, and show nothing until both are there.
  return [
    ...preloads.map((file) => `<link rel="modulepreload" fetchpriority="low" href="${prefix}${file}">`),
    `<script type="module" fetchpriority="low" src="${prefix}${main}"></script>`,
    ...Array.from(styles, (file) => `<link rel="stylesheet" href="${prefix}${file}">`),
  ].join('')
}

function stylesOf(manifest: Manifest, chunks: Manifest[string][]) {
  const styles = new Set(chunks.flatMap(({ css = [] }) => css))
  // A build with a single stylesheet lists it here rather than in a chunk.
  if (manifest['style.css']) styles.add(manifest['style.css'].file)
  return styles
}

/** A chunk and everything it imports, so the browser can preload them instead of discovering one after the other. */
function chunksFrom(manifest: Manifest, source: string, seen = new Set<string>()): Manifest[string][] {
  const chunk = manifest[source]
  if (!chunk || seen.has(source)) return []

  seen.add(source)
  return [chunk, ...(chunk.imports ?? []).flatMap((imported) => chunksFrom(manifest, imported, seen))]
}
