import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { connect } from '../../../plugins/database/index.ts'
import { createListener } from '../../../plugins/database/listener.ts'
import { addressOf } from '../../helpers/address.ts'
import { startOwnPostgres } from '../../helpers/postgres.ts'

const postgres = await startOwnPostgres(t)

async function listening(t: Test) {
  const address = addressOf(postgres.url)
  const db = connect(address, 2)
  const listener = createListener(address)
  t.teardown(() => Promise.all([db.close(), listener.close()]))
  const heard: string[] = []
  let begun = 0
  await listener.listen(
    'news',
    (payload) => heard.push(payload),
    () => begun++,
  )
  const notify = (channel: string, payload: string) => db.execute(sql`select pg_notify(${channel}, ${payload})`)
  const pid = async () => {
    const { rows } = await db.execute(sql`
      select pid from pg_stat_activity where application_name = 'accounts listener' order by backend_start`)
    return Number(rows.at(-1)?.pid)
  }
  /** Waits until it began to listen more often than that, and hears a notification. */
  async function hearsAfter(times: number, payload: string) {
    while (begun <= times) await sleep(10)
    await notify('news', payload)
    while (heard.at(-1) !== payload) await sleep(10)
  }
  return { listener, notify, pid, hearsAfter, begun: () => begun }
}

for (const way of ['the first ping that was acknowledged and did not arrive', 'listening to more']) {
  t.test(`a silent connection is replaced by ${way}`, async (t) => {
    const { listener, notify, pid, hearsAfter, begun } = await listening(t)
    const ping = () => listener.check((channel) => notify(channel, ''))
    await ping()
    const silent = await pid()
    process.kill(silent, 'SIGSTOP')
    t.teardown(() => process.kill(silent, 'SIGCONT'))
    const before = begun()
    await (way === 'listening to more' ? listener.listen('more news', () => {}) : ping())
    await hearsAfter(before, 'over the new connection')
  })
}

t.test('pings that could not be sent replace nothing', async (t) => {
  const { listener, notify, hearsAfter, begun } = await listening(t)
  let isFull = true
  const ping = () =>
    listener.check((channel) => (isFull ? Promise.reject(new Error('the pool is full')) : notify(channel, '')))
  for (let n = 0; n < 3; n++) await t.rejects(ping())
  isFull = false
  await ping()
  await hearsAfter(0, 'over the same connection')
  t.equal(begun(), 1)
})
