import t from 'tap'
import { connect } from '../../../plugins/database/index.ts'
import { addressOf } from '../../helpers/address.ts'
import { createDatabase } from '../../helpers/database.ts'

// The driver pipelines up to a hundred queries per connection. Whatever else is in the pipeline, a transaction must
// neither include the writes of others nor lose its connection. (Drizzle's queries wait until they are awaited, which
// would hide this.)

const sizes = Array.from({ length: 10 }, (_, n) => n + 1)
const counts = Array.from({ length: 23 }, (_, n) => 90 + n * 10).flatMap((n) =>
  n % 100 === 0 ? [n - 1, n, n + 1] : [n],
)

t.test('a transaction among any number of queries includes none of them', async (t) => {
  const url = await createDatabase(t)
  const admin = connect(addressOf(url), 1).$client
  t.teardown(() => admin.end())
  await admin`create table notes (round text, author text)`

  for (const size of sizes) {
    const sql = connect(addressOf(url), size).$client
    t.teardown(() => sql.end({ timeout: 1 }))
    await Promise.all(sizes.slice(0, size).map(() => sql`select 1`))
    const faults: unknown[] = []

    for (const count of counts) {
      const round = `${size} connections, ${count} queries`
      const before = Array.from({ length: count }, () => sql.unsafe('select 1').execute())
      const transaction = sql
        .begin(async (tx) => {
          await tx`insert into notes values (${round}, 'the transaction')`
          throw new Error('rolled back')
        })
        .catch((error) => error.message)
      const after = Array.from({ length: 20 }, () =>
        sql`insert into notes values (${round}, 'somebody else')`.execute(),
      )
      const outcomes = await Promise.allSettled([...before, ...after])
      const failed = outcomes.filter(({ status }) => status === 'rejected')
      const ending = await transaction
      if (failed.length > 0 || ending !== 'rolled back') faults.push({ round, failed, ending })
    }
    t.same(faults, [], `${size} connections`)
  }

  const rounds = await admin`select round, author, count(*)::int from notes group by round, author`
  t.equal(rounds.length, sizes.length * counts.length)
  t.same(
    rounds.filter(({ author, count }) => author !== 'somebody else' || count !== 20),
    [],
    'what was acknowledged is there, and nothing of what was rolled back',
  )
})
