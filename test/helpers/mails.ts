import { sql } from 'drizzle-orm'
import type { Database } from '../../plugins/database/index.ts'

/** The mail queue, oldest first. Mails of the same transaction are sorted by name. */
export async function queuedMails(db: Database): Promise<Record<string, unknown>[]> {
  const rows = await db.execute(sql`select data from pgboss.job where name = 'mail' order by created_on, data->>'mail'`)
  return rows.map((row) => row.data as Record<string, unknown>)
}

/** Every address that an HTML mail leads to. */
export const linksIn = (html = '') => [...new Set(Array.from(html.matchAll(/href="([^"]+)"/g), ([, url]) => url))]

export const forgetMails = (db: Database) => db.execute(sql`delete from pgboss.job`)
