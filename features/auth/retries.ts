import { type Database, isUniqueViolation, type Tx } from '../../plugins/database/index.ts'
import { Unavailable } from '../../plugins/http/errors.ts'

/** What a transaction read before it had its locks has changed since. Rolls everything back. */
export class StaleRead extends Error {}

const maxTries = 5

/**
 * Accounts are locked before users, so they must be known before. What was read then may have changed: `work` runs
 * again after StaleRead and after a unique violation. After a deadlock any transaction does.
 */
export async function transactionWithRetries<Result>(db: Database, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction(work)
    } catch (error) {
      if (!(error instanceof StaleRead || isUniqueViolation(error))) throw error
      if (tries === maxTries) throw new Unavailable('others keep changing it', { cause: error })
    }
  }
}
