import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

type Covered = { hash: string; ms: number; passed: boolean; mutants: string[] }
/** The test file that noticed a mutant, or those that did not, each with its fingerprint. */
export type Verdict = { killedBy?: string; survived: string[] }
export type Results = { fingerprint: string; tests: Record<string, Covered>; mutants: Record<string, Verdict> }

/** What former runs found. When the mutated code has changed, everything is measured anew. */
export function readResults(file: string, fingerprint: string) {
  let results: Results = { fingerprint, tests: {}, mutants: {} }
  try {
    const former: Results = JSON.parse(readFileSync(file, 'utf8'))
    if (former.fingerprint === fingerprint) results = former
  } catch {} // the first run
  const keep = () => {
    writeFileSync(`${file}.new`, JSON.stringify(results))
    renameSync(`${file}.new`, file)
  }
  return { results, keep }
}

export const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12)
