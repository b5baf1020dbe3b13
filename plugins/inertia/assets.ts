import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest, ManifestChunk } from 'vite'

type AssetOptions = { folder: string; entry: string; prefix: string }

export function readAssets({ folder, entry, prefix }: AssetOptions) {
  const content = readFileSync(join(folder, '.vite/manifest.json'), 'utf8')
  const manifest: Manifest = JSON.parse(content)
  if (!manifest[entry]) throw new Error(`The build in ${folder} has no entry ${entry}`)
  return {
    version: hash('sha256', content, 'base64url').slice(0, 16),
    /** The `Link` header of the first typefaces, which browsers would otherwise discover only in the stylesheet. */
    link: (language: string) =>
      fontsFor(manifest, language)
        .map((file) => `<${prefix}${file}>; rel=preload; as=font; type="font/woff2"; crossorigin`)
        .join(', '),
    sources: Object.keys(manifest),
    tags: (imports: string[]) => tagsOf(manifest, [entry, ...imports], prefix),
  }
}

function tagsOf(manifest: Manifest, sources: string[], prefix: string) {
  const chunks = sources.flatMap((source) => chunksFrom(manifest, source))
  const [main, ...preloads] = new Set(chunks.map(({ file }) => file))
  // A build with a single stylesheet lists it here rather than in a chunk.
  const styles = new Set([manifest['style.css']?.file ?? [], ...chunks.map(({ css = [] }) => css)].flat())

  // Browsers would give modules and stylesheets equal shares, and show nothing until both are there.
  return [
    ...preloads.map((file) => `<link rel="modulepreload" fetchpriority="low" href="${prefix}${file}">`),
    `<script type="module" fetchpriority="low" src="${prefix}${main}"></script>`,
    ...Array.from(styles, (file) => `<link rel="stylesheet" href="${prefix}${file}">`),
  ].join('\n')
}

/**
 * The files of Latin and of the language's own script. A file is named by its script, whose code (ISO 15924) begins
 * with the same three letters. Those in `-ext` have rare characters, which most pages never need.
 */
function fontsFor(manifest: Manifest, language: string) {
  const script = new Intl.Locale(language).maximize().script?.slice(0, 3).toLowerCase()
  const needed = new RegExp(`-(latin|${script}[a-z]*)(?!-ext)[-.].*woff2$`)
  return Object.values(manifest).flatMap(({ src = '', file }) => (needed.test(src) ? [file] : []))
}

/** A chunk and everything it imports, so the browser can preload them instead of discovering one after the other. */
function chunksFrom(manifest: Manifest, source: string, seen = new Set<string>()): ManifestChunk[] {
  const chunk = manifest[source]
  if (!chunk || seen.has(source)) return []

  seen.add(source)
  return [chunk, ...(chunk.imports ?? []).flatMap((imported) => chunksFrom(manifest, imported, seen))]
}
