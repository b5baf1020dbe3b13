import { asc, sql } from 'drizzle-orm'
import { activities } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'

/** All recorded activities, in order. */
export const recorded = (db: Database) => db.select().from(activities).orderBy(asc(activities.id))

/** The types of this user's activities, in order. */
export const typesOf = async (db: Database, userId: number) =>
  (await recorded(db)).filter((activity) => activity.userId === userId).map(({ type }) => type)

export const forgetActivities = (db: Database) => db.delete(activities)

/** The queued mails and their ids, oldest first. Those of the same transaction are sorted by name. */
export async function queuedMails(db: Database): Promise<Record<string, unknown>[]> {
  const { rows } = await db.execute<{ data: Record<string, unknown> }>(sql`
    select data from pgboss.job where name in ('jobs', 'private_jobs') order by created_on, data->>'job'`)
  return rows.map(({ data: { job, ...ids } }) => ({ mail: job, ...ids }))
}

/** The names of the mails queued for this user, oldest first. */
export const mailsOf = async (db: Database, userId: number) =>
  (await queuedMails(db)).filter((mail) => mail.userId === userId).map(({ mail }) => mail)

/** Every address that an HTML mail leads to. */
export const linksIn = (html = '') => [...new Set(Array.from(html.matchAll(/href="([^"]+)"/g), ([, url]) => url))]

export const forgetMails = (db: Database) => db.execute(sql`delete from pgboss.job`)

/** All rows of these tables, such as pgboss.job. */
export const snapshot = (db: Database, ...tables: string[]) =>
  Promise.all(
    tables.map(async (table) => (await db.execute(sql.raw(`select to_jsonb(t) from ${table} t order by 1`))).rows),
  )

/** Everything in the database, including the tables of the queue, as one text. */
export async function dump(db: Database) {
  const { rows } = await db.execute<{ xml: string }>(sql`select database_to_xml(true, false, '')::text as xml`)
  return rows[0]?.xml ?? ''
}
