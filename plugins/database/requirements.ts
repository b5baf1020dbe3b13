import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from './address.ts'
import { withClient } from './connect.ts'
import { DatabaseUnusable, isUnavailable, needsDirectUrl, problemOf, reasonOf, rootOf } from './failures.ts'
import { createListener } from './listener.ts'

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

/**
 * Throws DatabaseUnusable unless a notification that is sent over one address arrives over the other. It does neither
 * behind a transaction pooler nor in another database, where mails would wait for ever.
 */
export async function requireListening(address: Address, sendingAddress = address) {
  const listener = createListener(address)
  const notify = (channel: string) =>
    describeErrors(sendingAddress, () =>
      withClient(sendingAddress, (client) => client.query('select pg_notify($1, $2)', [channel, ''])),
    )
  if (await describeErrors(address, () => listener.hears(notify)).finally(listener.close)) return
  const { variable } = address
  if (sendingAddress !== address)
    throw new DatabaseUnusable(
      `Notifications over ${sendingAddress.variable} do not arrive over ${variable}: ` +
        'it leads to another database, or through a transaction pooler',
    )
  const mend = variable === 'QUEUE_URL' ? 'set it to the address of the database itself' : needsDirectUrl
  throw new DatabaseUnusable(
    `Notifications do not arrive over ${variable}, which looks like a transaction pooler: ${mend}`,
  )
}

/** Throws DatabaseUnusable if the database only reads, or if the role may neither write to the schema nor create it. */
export async function requireSchema(address: Address, schema: string) {
  const question = `
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly",
      case when to_regnamespace($1) is null then has_database_privilege(current_database(), 'create')
      else has_schema_privilege(to_regnamespace($1)::oid, 'usage') and not exists (
        select from pg_class where relnamespace = to_regnamespace($1) and relkind in ('r', 'p')
        and not has_table_privilege(oid, 'insert')
      ) end as "isAllowed"`
  await describeErrors(address, async () => {
    const { rows } = await withClient(address, (client) => client.query(question, [schema]))
    if (rows[0].isReadOnly) throw Object.assign(new Error('read-only'), { code: '25006' })
    if (!rows[0].isAllowed) throw Object.assign(new Error('not allowed'), { code: '42501' })
  })
}
