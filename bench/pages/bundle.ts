import { gzipSync } from 'node:zlib'
import { limitRow, type Row } from '../lib/table.ts'
import { visit } from '../lib/visitor.ts'

/** What a browser loads for the sign-in page: the files in its tags, and everything those import. */
export async function benchBundle(application: string): Promise<Row[]> {
  const { html } = await visit(application)
  const named = (pattern: RegExp) =>
    [...html.matchAll(pattern)].map(([, path]) => new URL(path ?? '', application).href)

  const scripts = new Map<string, number>()
  const waiting = [...named(/<script[^>]* src="([^"]+)"/g), ...named(/rel="modulepreload"[^>]* href="([^"]+)"/g)]
  for (const url of waiting) {
    if (scripts.has(url)) continue
    const source = await download(url)
    scripts.set(url, gzipSync(source).length)
    for (const [, path = ''] of source.toString().matchAll(/(?:from|import)\s*["'](\.[^"']+)["']/g)) {
      waiting.push(new URL(path, url).href)
    }
  }

  let styles = 0
  for (const url of named(/rel="stylesheet"[^>]* href="([^"]+)"/g)) styles += gzipSync(await download(url)).length

  const kB = { unit: 'kB', digits: 1 }
  return [
    limitRow('JavaScript of the sign-in page, gzip', sum([...scripts.values()]) / 1000, { ...kB, target: 125 }),
    limitRow('CSS of the sign-in page, gzip', styles / 1000, { ...kB, target: 12 }),
  ]
}

async function download(url: string) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
