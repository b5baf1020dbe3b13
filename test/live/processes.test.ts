import { sql } from 'drizzle-orm'
import t from 'tap'
import { startAcme } from '../helpers/accounts.ts'
import { startApp } from '../helpers/app.ts'
import type { Browser } from '../helpers/browser.ts'
import { createDatabase } from '../helpers/database.ts'
import { listen } from '../helpers/listen.ts'
import { signedIn } from '../helpers/people.ts'
import { startProcess } from '../helpers/processes.ts'
import { accountIdentifier, type Frame, openStream } from '../helpers/sse.ts'

const identifier = accountIdentifier('acme')
const isPresence = ({ type }: Frame) => type === 'presence'
const isMessage = ({ message }: Frame) => message !== undefined

const beat = (browser: Browser, tab_id: string) =>
  browser.send('POST', '/live/presence', { body: { identifier, tab_id }, headers: browser.csrfHeader() })

t.test('what happens in one process reaches the streams of another', async (t) => {
  const url = await createDatabase(t)
  const [here, there] = await Promise.all([startProcess(t, url), startProcess(t, url)])
  const { owner, join } = await startAcme(here.app)
  const [member, leaver] = [await join('member'), await join('member')]
  const stream = await openStream(t, there.app, member.browser, [identifier])
  const other = await openStream(t, there.app, leaver.browser, [identifier])
  await Promise.all([stream.next(isPresence), other.next(isPresence)])

  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' })
  t.same((await stream.next(isMessage)).message, { type: 'account' }, 'a broadcast')

  const from = stream.frames.length
  await beat(owner.browser, 'tab-1')
  t.match(await stream.next(isPresence, from), { present: [{ user_id: owner.user.id }], tab_id: 'tab-1' })

  await owner.browser.submit('DELETE', `/acme/members/${leaver.membershipId}`)
  t.same(await other.next(({ type }) => type === 'reject_subscription'), { type: 'reject_subscription', identifier })
  await member.browser.submit('DELETE', `/sessions/${member.page.props.auth.session.id}`)
  await stream.untilEnded()
  t.ok(here.isAlive() && there.isAlive())
})

t.test('the people of a killed process are gone after 30 seconds, and nobody else', async (t) => {
  const url = await createDatabase(t)
  const there = await startProcess(t, url)
  const { app: here, db } = await startApp(t, { DATABASE_URL: url }, { liveIntervalMs: 60 })
  await listen(here)
  const { owner, join } = await startAcme(there.app)
  const member = await join('member')
  const theirs = await openStream(t, there.app, member.browser, [identifier])
  await beat(member.browser, 'tab-1')
  await theirs.next(isPresence)

  const { browser } = await signedIn(here, owner.person)
  const stream = await openStream(t, here, browser, [identifier])
  const ids = ({ present }: Frame) => present.map(({ user_id }: Frame) => user_id)
  t.same(ids(await stream.next(isPresence)), [member.user.id])
  await beat(browser, 'tab-2')
  await stream.next((frame) => isPresence(frame) && ids(frame).length === 2)

  await there.kill()
  await theirs.untilEnded()
  const from = stream.frames.length
  // Presence uses the database's clock, so time is shifted there.
  const pass = (seconds: number) =>
    db.execute(sql`update presences set expires_at = expires_at - ${seconds} * interval '1 second'`)
  await pass(10)
  await beat(browser, 'tab-2')
  const rounds = stream.comments.length
  await stream.until(() => stream.comments.length > rounds + 2)
  t.same(stream.frames.slice(from), [], 'a process that starts again soon enough has lost nobody')

  await pass(20)
  t.same(ids(await stream.next(isPresence, from)), [owner.user.id])
  const [left] = (await db.execute(sql`select array_agg(user_id)::text as ids from presences`)).rows
  t.equal(left?.ids, `{${owner.user.id}}`)
})
