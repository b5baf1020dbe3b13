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
    /** The `Link` header of the first typeface, which browsers would otherwise discover only in the stylesheet. */
    link: fontsOf(manifest)
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

/** Characters beyond Western Europe are in separate font files, which most pages never need. */
function fontsOf(manifest: Manifest) {
  const fonts = Object.values(manifest).filter(({ src = '' }) => src.endsWith('.woff2') && !/-(ext|arabic)-/.test(src))
  return fonts.map(({ file }) => file)
}

/** A chunk and everything it imports, so the browser can preload them instead of discovering one after the other. */
function chunksFrom(manifest: Manifest, source: string, seen = new Set<string>()): ManifestChunk[] {
  const chunk = manifest[source]
  if (!chunk || seen.has(source)) return []

  seen.add(source)
  return [chunk, ...(chunk.imports ?? []).flatMap((imported) => chunksFrom(manifest, imported, seen))]
}
