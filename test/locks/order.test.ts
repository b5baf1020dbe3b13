import { sql } from 'drizzle-orm'
import t from 'tap'
import { sharedPerson } from '../helpers/people.ts'

t.test('tests notice a transaction that locks in another order', async (t) => {
  const { db } = await sharedPerson(t)
  const wrong: string[][] = [
    ['update sessions set last_seen_at = now()', 'select from users for share'],
    ['delete from presences', 'delete from sessions'],
    ['select from users for update', 'update accounts set name = name'],
    // by its foreign key
    [
      'update sessions set last_seen_at = now()',
      'insert into email_changes (user_id, previous_email) select id, email from users',
    ],
  ]
  for (const statements of wrong) {
    const name = statements.join('; ')
    const transaction = db.transaction(async (tx) => {
      for (const statement of statements) await tx.execute(sql.raw(statement))
    })
    await t.rejects(transaction, { cause: { message: /rows of \w+ are locked after those of \w+/ } }, name)
  }
})
