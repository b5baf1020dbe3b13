import { readFileSync } from 'node:fs'

/** Undefined if there is no such file, or none that may be read. */
export function textOf(file: string | URL) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
