import { readFileSync } from 'node:fs'

/** What the log says at each start: which version of the application, on which Node. */
export function versions(): { version: string; node: string } {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return { version, node: process.versions.node }
}
