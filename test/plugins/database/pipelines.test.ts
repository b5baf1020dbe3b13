import t from 'tap'
import { connect } from '../../../plugins/database/index.ts'
import { addressOf } from '../../helpers/address.ts'
import { createDatabase } from '../../helpers/database.ts'

// However many queries are sent at once, a transaction must neither include the writes of others nor lose its
// connection.

const sizes = [1, 2, 6]
const counts = [90, 99, 100, 101, 150, 199, 200, 201, 311]

t.test('a transaction among any number of queries includes none of them', async (t) => {
  const url = await createDatabase(t)
  const admin = connect(addressOf(url), 1).$client
  t.teardown(() => admin.end())
  await admin`create table notes (round text, author text)`

  for (const size of sizes) {
    const sql = connect(addressOf(url), size).$client
    t.teardown(() => sql.end({ timeout: 1 }))
    await Promise.all(Array.from({ length: size }, () => sql`select 1`))
    const faults: unknown[] = []

    for (const count of counts) {
      const round = `${size} connections, ${count} queries`
      const before = Array.from({ length: count }, () => sql.unsafe('select 1').then())
      const transaction = sql
        .begin(async (tx) => {
          await tx`insert into notes values (${round}, 'the transaction')`
          throw new Error('rolled back')
        })
        .catch((error) => error.message)
      const after = Array.from({ length: 20 }, () =>
        sql.unsafe('insert into notes values ($1, $2)', [round, 'somebody else']).then(),
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
