import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Manifest } from 'vite'

export interface Assets {
  /** Another one for every build that differs. */
  version: string
  /** What every page needs to be seen, the stylesheet and its first typeface, as a `Link` header: a browser asks for it before it reads a tag. */
  early: string
  /** What the document of a page loads. */
  tags(component: string): string
}

export interface AssetsOptions {
  /** Where the client was built. */
  folder: string
  /** The source of the entry. Pages lie beside it: `area/name` in `area/name.page.tsx`. */
  entry: string
  /** What stands before the manifest's file names in an address. */
  prefix: string
}

/** Reads what Vite built for the browser. */
export function readAssets({ folder, entry, prefix }: AssetsOptions): Assets {
  const content = readFileSync(join(folder, '.vite/manifest.json'), 'utf8')
  const manifest: Manifest = JSON.parse(content)
  if (!manifest[entry]) throw new Error(`The build in ${folder} has no entry ${entry}`)

  const known = new Map<string, string>()
  return {
    early: earlyLinks(manifest, entry, prefix),
    version: hash('sha256', content, 'base64url').slice(0, 16),
    tags(component) {
      const tags = known.get(component) ?? tagsOf(manifest, entry, `${dirname(entry)}/${component}.page.tsx`, prefix)
      known.set(component, tags)
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

// Letters beyond those of Western Europe are a file of their own, which most pages never need.
const isFirstTypeface = (src: string) => src.endsWith('.woff2') && !src.includes('-ext-')

function tagsOf(manifest: Manifest, entry: string, page: string, prefix: string) {
  const chunks = [...chunksFrom(manifest, entry), ...chunksFrom(manifest, page)]
  const files = new Set(chunks.map(({ file }) => file))
  const styles = stylesOf(manifest, chunks)

  const [main, ...preloads] = files
  return [
    ...preloads.map((file) => `<link rel="modulepreload" href="${prefix}${file}">`),
    `<script type="module" src="${prefix}${main}"></script>`,
    ...Array.from(styles, (file) => `<link rel="stylesheet" href="${prefix}${file}">`),
  ].join('')
}

function stylesOf(manifest: Manifest, chunks: Manifest[string][]) {
  const styles = new Set(chunks.flatMap(({ css = [] }) => css))
  // A build with one stylesheet for everything names it here, and in no chunk.
  if (manifest['style.css']) styles.add(manifest['style.css'].file)
  return styles
}

/** A chunk, then those that it imports, which the browser would otherwise discover one after the other. */
function chunksFrom(manifest: Manifest, source: string, seen = new Set<string>()): Manifest[string][] {
  const chunk = manifest[source]
  if (!chunk || seen.has(source)) return []

  seen.add(source)
  return [chunk, ...(chunk.imports ?? []).flatMap((imported) => chunksFrom(manifest, imported, seen))]
}
