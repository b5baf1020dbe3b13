import { readFileSync } from 'node:fs'
import { textsIn } from './scan.ts'

const imported = /^(?!import type|export type).*?\bfrom '(\.[^']+\.tsx?)'|import\('(\.[^']+\.tsx?)'\)/gm

/** The keys of all texts that these modules show, and those that they import, at once or later. */
export function textsReachableFrom(entries: URL[]): Set<string> {
  const seen = new Set<string>()
  const keys = new Set<string>()
  const visit = (module: URL) => {
    if (seen.has(module.href)) return
    seen.add(module.href)
    const source = readFileSync(module, 'utf8')
    for (const { key } of textsIn(source)) keys.add(key)
    for (const [, now, later] of source.matchAll(imported)) visit(new URL(now ?? later ?? '', module))
  }
  for (const entry of entries) visit(entry)
  return keys
}
