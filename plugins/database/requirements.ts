import type { Address } from './address.ts'
import { withClient } from './connect.ts'
import { DatabaseUnusable, needsDirectUrl } from './failures.ts'
import { createListener } from './listener.ts'
import { describeErrors } from './wait.ts'

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
