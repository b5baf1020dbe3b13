import { sql } from 'drizzle-orm'
import t from 'tap'
import { startAcme } from '../helpers/accounts.ts'
import { createDatabase } from '../helpers/database.ts'
import { startProcess } from '../helpers/processes.ts'
import { accountIdentifier, type Frame, openStream } from '../helpers/sse.ts'

const identifier = accountIdentifier('acme')
const isConfirmed = ({ type }: Frame) => type === 'confirm_subscription'
const isMessage = ({ message }: Frame) => message !== undefined

t.test('1,000 clients that lose their streams at once can all reconnect at once', async (t) => {
  const { app, isAlive, complaints } = await startProcess(t, await createDatabase(t))
  const { owner, join } = await startAcme(app)
  const people = [owner, ...(await Promise.all(Array.from({ length: 39 }, () => join('member'))))]
  const ofOne = Array.from({ length: 25 })
  const openAll = () =>
    Promise.all(
      people.flatMap(({ browser }) =>
        ofOne.map(async () => {
          const stream = await openStream(t, app, browser, [identifier])
          await stream.next(isConfirmed)
          return stream
        }),
      ),
    )
  const lost = await openAll()

  await app.db.execute(
    sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query = 'listen "live"'`,
  )
  await Promise.all(lost.map((stream) => stream.untilEnded()))
  const start = performance.now()
  const back = await openAll()
  t.comment(`${Math.round(performance.now() - start)} ms until the last was back`)

  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' })
  const heard = await Promise.all(back.map((stream) => stream.next(isMessage)))
  t.ok(heard.length === 1_000 && heard.every(({ message }) => message.type === 'account'))
  t.ok(isAlive())
  t.same(complaints, [])
})
