import { sql } from 'drizzle-orm'
import type { Database } from '../../plugins/database/index.ts'

/** The queued mails and their ids, oldest first. Those of the same transaction are sorted by name. */
export async function queuedMails(db: Database): Promise<Record<string, unknown>[]> {
  const { rows } = await db.execute<{ data: Record<string, unknown> }>(sql`
    select data from pgboss.job where name in ('jobs', 'private_jobs') order by created_on, data->>'job'`)
  return rows.map(({ data: { job, ...ids } }) => ({ mail: job, ...ids }))
}

/** Every address that an HTML mail leads to. */
export const linksIn = (html = '') => [...new Set(Array.from(html.matchAll(/href="([^"]+)"/g), ([, url]) => url))]

export const forgetMails = (db: Database) => db.execute(sql`delete from pgboss.job`)
