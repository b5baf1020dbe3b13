import { webhooks } from '../../drizzle/tables/webhooks.ts'
import type { Database } from '../../plugins/database/index.ts'

export const insert = (db: Database) =>
  db.insert(webhooks).values({
    ...{ accountId: 1, url: 'https://example.com', types: ['*'], secret: '' },
    ...{ createdAt: new Date(), urlAt: new Date() },
  })
