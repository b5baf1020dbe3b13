import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { Browser } from './browser.ts'

/** What a browser loads for a page before any interaction. */
export async function loadOf(app: FastifyInstance, browser: Browser, path: string) {
  const get = async (url: string) => (await app.inject({ url, headers: { 'accept-encoding': 'identity' } })).rawPayload
  const packed = async (urls: Set<string>) => {
    const files = await Promise.all(Array.from(urls, get))
    const bytes = files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0)
    return { files: files.length, bytes, source: files.join('\n') }
  }

  const { html } = await browser.document(path)
  const scripts = new Set(Array.from(html.matchAll(/"(\/assets\/[^"]+\.js)"/g), ([, url = '']) => url))
  // Static imports are loaded even if the document does not list them.
  for (const url of scripts) {
    for (const [, file] of String(await get(url)).matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)/g)) {
      scripts.add(`/assets/${file}`)
    }
  }
  const styles = new Set(Array.from(html.matchAll(/"(\/assets\/[^"]+\.css)"/g), ([, url = '']) => url))
  return { scripts: await packed(scripts), styles: await packed(styles) }
}
