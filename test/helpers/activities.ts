import { asc } from 'drizzle-orm'
import { activities } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'

/** All recorded activities, in order. */
export const recorded = (db: Database) => db.select().from(activities).orderBy(asc(activities.id))

export const forgetActivities = (db: Database) => db.delete(activities)
