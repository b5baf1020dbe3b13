import { sql } from 'drizzle-orm'
import t from 'tap'
import { beforeCommit, connect } from '../../../plugins/database/index.ts'
import { addressOf } from '../../helpers/address.ts'
import { createDatabase } from '../../helpers/database.ts'

t.test('a statement that fails right before a COMMIT fails the transaction, and the connection goes on', async (t) => {
  const db = connect(addressOf(await createDatabase(t)), 1)
  t.teardown(() => db.$client.end())
  const write = (line: string) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select 1`)
      beforeCommit(tx, () => ({ text: 'insert into lines values ($1)', parameters: [line] }))
    })

  await t.rejects(write('there is no such table'), { code: '42P01' })
  await db.execute(sql`create table lines (line text not null)`)
  await write('first')
  await write('second')
  t.same(
    (await db.execute(sql`select line from lines order by line`)).map(({ line }) => line),
    ['first', 'second'],
  )
})
