import { sql } from 'drizzle-orm'
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core'

export const id = () => bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()
export const reference = () => bigint({ mode: 'number' })
export const timestamptz = () => timestamp({ withTimezone: true, precision: 3 })
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const timestamps = {
  createdAt: timestamptz().notNull().defaultNow(),
  updatedAt: timestamptz()
    .notNull()
    .defaultNow()
    .$onUpdate(() => sql`now()`),
}
