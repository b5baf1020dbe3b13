import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from './address.ts'
import { withClient } from './connect.ts'
import { DatabaseUnusable, isUnavailable, problemOf, reasonOf, rootOf } from './failures.ts'

type WaitOptions = { seconds: number; log(line: string): void }

const logIntervalMs = 5000

const unusable = ({ variable }: Address, problem: string) =>
  new DatabaseUnusable(`The database of ${variable} ${problem}`)

/** Throws DatabaseUnusable after the time limit, or at once if waiting does not help, as with a wrong password. */
export async function waitForDatabase(address: Address, { seconds, log }: WaitOptions) {
  const until = Date.now() + seconds * 1000
  let loggedAt = Date.now()
  for (;;) {
    const failure = await withClient(address, (client) => client.query('select 1')).then(() => undefined, rootOf)
    if (!failure) return
    if (!isUnavailable(failure) || Date.now() >= until)
      throw unusable(address, problemOf(failure) ?? `cannot be used (${reasonOf(failure)})`)
    if (Date.now() - loggedAt >= logIntervalMs) {
      loggedAt = Date.now()
      log(`Waiting for the database of ${address.variable} (${reasonOf(failure)})`)
    }
    await sleep(Math.min(500, Math.max(0, until - Date.now())))
  }
}

/** Throws DatabaseUnusable, which names the variable, in place of an error that an operator can fix. */
export async function describeErrors<T>(address: Address, work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error
    const problem = problemOf(rootOf(error))
    throw problem ? unusable(address, problem) : error
  }
}
