import { readFileSync } from 'node:fs'

/** The versions of application and Node, logged at each start. */
export function versions(): { version: string; node: string } {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return { version, node: process.versions.node }
}
