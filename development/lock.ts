import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const busy = 5

/**
 * Takes a lock on a file and returns its release, or undefined when somebody else is in the way. Many may hold it shared, one may hold it exclusive.
 * It is SQLite's lock because the operating system takes that back when its holder is killed; a pid file would stay behind.
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

/** Runs `work` while nobody else on this file does. Waits a minute at most. */
export async function alone<T>(file: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 1200; tries++) {
    const release = lock(file, 'exclusive')
    if (release) return await work().finally(release)
    await sleep(50)
  }
  throw new Error(`Another process has held ${file} for a minute`)
}
