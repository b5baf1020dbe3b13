import { createHash } from 'node:crypto'
import boss from 'pg-boss/package.json' with { type: 'json' }
import type postgres from 'postgres'
import type { Address, Deadlines } from '../database/index.ts'
import { policies, type QueueProfile, queueSettings } from './settings.ts'

// For the deletion of a user, which must not scan all finished jobs.
const emailIndex = `create index if not exists job_email on pgboss.job ((data->>'email'))
  where data->>'email' is not null`

const wanted = createHash('sha256')
  .update(JSON.stringify([boss.version, queueSettings, policies, emailIndex]))
  .digest('hex')

type Given = { address: Address; profile: QueueProfile; deadlines: Partial<Deadlines>; log(line: string): void }

/**
 * Ensures the tables of pg-boss and our queues. The installed state is stored as a comment on the schema, because
 * checking with pg-boss at every boot takes 0.16 s longer. The caller's transaction holds a lock, so one process
 * installs at a time.
 */
export async function installQueues(tx: postgres.TransactionSql, { address, profile, deadlines, log }: Given) {
  const [schema] = await tx`select obj_description(to_regnamespace('pgboss'), 'pg_namespace') as installed`
  if (schema?.installed === wanted) return
  if (schema?.installed) await warnIfNewer(tx, log)
  const { createQueues } = await import('./queues.ts')
  await createQueues(address, profile, deadlines)
  await tx.unsafe(emailIndex)
  await tx.unsafe(`comment on schema pgboss is '${wanted}'`)
}

// After a rollback to an older release: newer versions only add to the schema, so it is used as it is.
async function warnIfNewer(tx: postgres.TransactionSql, log: Given['log']) {
  const [row] = await tx`select version from pgboss.version`
  if (row?.version > boss.pgboss.schema)
    log(
      `The mail queue was installed by a newer version (schema ${row?.version}, ` +
        `this one knows ${boss.pgboss.schema}) and is used as it is: if mails fail, go back to that version, ` +
        'or set QUEUE_URL to a database of its own',
    )
}
