import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const busy = 5

/**
 * Locks a file and returns the release, or undefined if another process holds a conflicting lock. Uses SQLite's locks,
 * because the operating system releases them when a process is killed. A pid file would stay behind.
 */
export function lock(file: string, kind: 'shared' | 'exclusive'): (() => void) | undefined {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec(kind === 'exclusive' ? 'begin exclusive' : 'begin; select * from sqlite_master')
    return () => database.close()
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return undefined
    throw error
  }
}

/** Runs `work` under an exclusive lock. Waits up to a minute for it. */
export async function alone<T>(file: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 1200; tries++) {
    const release = lock(file, 'exclusive')
    if (release) return await work().finally(release)
    await sleep(50)
  }
  throw new Error(`Another process has held ${file} for a minute`)
}
