import { asc, sql } from 'drizzle-orm'
import { date, pgTable } from 'drizzle-orm/pg-core'
import t from 'tap'
import { id } from '../../../drizzle/tables/columns.ts'
import { connect, following, orderedPageOf, readPosition } from '../../../plugins/database/index.ts'
import { dayIn } from '../../../plugins/languages/days.ts'
import { addressOf } from '../../helpers/address.ts'
import { createDatabase } from '../../helpers/database.ts'

const tasks = pgTable('tasks', { id: id(), due: date().notNull() })

t.test('a list in another order than that of its ids is read page by page, each row once', async (t) => {
  const db = connect(addressOf(await createDatabase(t)), 1)
  t.teardown(() => db.close())
  await db.execute(sql`create table tasks (id bigint primary key generated always as identity, due date not null)`)
  const days = ['2026-12-24', '2026-01-01', '2026-12-24', '2026-12-24', '2025-05-05', '2026-01-01', '2027-01-01']
  await db.insert(tasks).values(days.map((due) => ({ due })))

  const seen: number[] = []
  for (let next: string | null = ''; next !== null; ) {
    const position = readPosition(next, dayIn)
    const rows = await db
      .select()
      .from(tasks)
      .where(following(tasks.due, tasks.id, position))
      .orderBy(asc(tasks.due), asc(tasks.id))
      .limit(3)
    const read = orderedPageOf(rows, 2, ({ due, id }) => ({ value: due, id }))
    seen.push(...read.page.map(({ id }) => id))
    next = read.next
  }
  t.same(seen, [5, 2, 6, 1, 3, 4, 7])
})

t.test('what is no position starts the list anew', async (t) => {
  t.same(readPosition('17~2026-12-24', dayIn), { id: 17, value: '2026-12-24' })
  for (const given of [undefined, '', '17', '~', '17~2026-02-30', "17~'", '1234567890123456~2026-12-24'])
    t.equal(readPosition(given, dayIn), undefined, String(given))
})
