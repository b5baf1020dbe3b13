import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread, threadId } from 'node:worker_threads'

// Imported into every process and thread of a test file that counts coverage: each leaves the mutants it has passed.
type Counting = { __stryker__?: { mutantCoverage?: { static: Record<string, number> } } }

const { MUTANTS_COVERAGE: folder } = process.env

function write() {
  const passed = (globalThis as Counting).__stryker__?.mutantCoverage?.static ?? {}
  if (folder) writeFileSync(join(folder, `${process.pid}-${threadId}.json`), JSON.stringify(Object.keys(passed)))
}

process.once('exit', write)
// A thread that is terminated has no exit.
if (!isMainThread) setInterval(write, 50).unref()
