import { once } from 'node:events'
import { request, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { membersChannel } from '../../features/accounts/channel.ts'
import { broadcast, recheckUser } from '../../plugins/live/broadcast.ts'
import { collectLines, listen, startApp } from '../helpers/app.ts'
import { createDatabase } from '../helpers/database.ts'
import { liveAcme, signedUp, startAcme } from '../helpers/people.ts'
import { operatorOf } from '../helpers/postgres.ts'
import { startProxy } from '../helpers/proxy.ts'
import { acme, beat, isConfirmed, isMessage, isPresence, isRejected, openStream, streamUrl } from '../helpers/sse.ts'

const twentyFive = Array.from({ length: 25 })

t.test('a message, a presence and a revocation of one process reach the streams of another', async (t) => {
  const DATABASE_URL = await createDatabase(t)
  const [{ app: here }, { app: there }] = [await startApp(t, { DATABASE_URL }), await startApp(t, { DATABASE_URL })]
  await listen(there)
  const { owner, join } = await startAcme(here)
  const [member, leaver] = [await join('member'), await join('member')]
  const stream = await openStream(t, there, member.browser, [acme])
  const other = await openStream(t, there, leaver.browser, [acme])
  await Promise.all([stream.next(isPresence), other.next(isPresence)])

  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' })
  t.same((await stream.next(isMessage)).message, { type: 'account' })

  const from = stream.frames.length
  await beat(owner.browser, { tab_id: 'tab-1' })
  t.match(await stream.next(isPresence, from), { present: [{ user_id: owner.user.id }], tab_id: 'tab-1' })

  await owner.browser.submit('DELETE', `/acme/members/${leaver.membershipId}`)
  await other.next(isRejected)
  await member.browser.submit('DELETE', `/sessions/${member.session}`)
  await stream.untilEnded()
})

t.test('one connection listens for all streams, and its loss ends them', async (t) => {
  const { app, db, owner } = await liveAcme(t, {}, { liveIntervalMs: 300 })
  const streams = await Promise.all(Array.from({ length: 3 }, () => openStream(t, app, owner.browser, [acme])))
  await Promise.all(streams.map((stream) => stream.next(isPresence)))

  const { rowCount } = await db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'accounts listener'`)
  t.equal(rowCount, 1)
  await Promise.all(streams.map((stream) => stream.untilEnded()))
})

t.test('streams survive a database that goes away and comes back', async (t) => {
  const proxy = await startProxy(t, await createDatabase(t))
  const { app, owner, join } = await liveAcme(t, { DATABASE_URL: proxy.url }, { liveIntervalMs: 100 })
  const people = [owner, await join('member')]
  const openAll = () =>
    Promise.all(people.flatMap(({ browser }) => twentyFive.map(() => openStream(t, app, browser, [acme]))))
  const streams = await openAll()
  await Promise.all(streams.map((stream) => stream.next(isConfirmed)))

  proxy.cut()
  t.equal((await owner.browser.request('GET', '/acme')).statusCode, 500)
  proxy.restore()
  await Promise.all(streams.map((stream) => stream.untilEnded()))

  const back = await openAll()
  await Promise.all(back.map((stream) => stream.next(isConfirmed)))
  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' })
  const heard = await Promise.all(back.map((stream) => stream.next(isMessage)))
  t.same(new Set(heard.map(({ message }) => message?.type)), new Set(['account']))
})

t.test('closing the application ends its streams, so that clients go elsewhere', async (t) => {
  const { app, owner } = await liveAcme(t)
  const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(t, app, owner.browser, [acme])))
  await Promise.all([...streams.map((stream) => stream.untilEnded()), app.close()])
  for (const { response } of streams) t.ok(response.complete, 'properly, and not by breaking off')
})

t.test('a slow handler is a 503, which browsers do not retry silently, and a stream may last longer', async (t) => {
  const DATABASE_URL = await createDatabase(t)
  // everything else may exceed the timeout on a busy machine, so another application does it
  const { app: patient } = await startApp(t, { DATABASE_URL })
  const { browser } = await signedUp(patient)
  const page = await patient.inject({ url: '/500.html' })
  const { app } = await startApp(t, { DATABASE_URL }, { deadlines: { request: 2 } })
  app.get('/slow', () => new Promise(() => {}))
  await listen(app)
  const stream = await openStream(t, app, browser, [])
  const ask = (accept: string) => app.inject({ url: '/slow', headers: { accept } })
  const [html, json] = await Promise.all([ask('text/html'), ask('application/json')])
  t.equal(html.body.replace(/<p class="reference">.*?<\/p>/, ''), page.body)
  t.match(json, { statusCode: 503, headers: { 'retry-after': /^\d+$/ } })
  t.same(json.json(), { status: 503, error: 'Service Unavailable' })
  t.notOk(stream.ended)
})

t.test('streams whose client left before they began leave nothing, also when the database is slow', async (t) => {
  const { app, url, owner } = await liveAcme(t)
  const { open } = app.live
  const opened = Promise.withResolvers<void>()
  let left = 50
  app.live.open = async (...asked) => {
    try {
      return await open(...asked)
    } finally {
      left--
      if (left === 0) opened.resolve()
    }
  }
  const lock = operatorOf(t, url)
  await lock.unsafe('begin; lock table sessions in access exclusive mode')
  const headers = { ...owner.browser.headers, cookie: owner.browser.cookieHeader() }
  const waiting = new Set<ServerResponse>()
  app.server.on('request', (_request, response: ServerResponse) => waiting.add(response))
  const clients = Array.from({ length: left }, () =>
    request(`${app.listeningOrigin}${streamUrl([acme])}`, { headers, agent: false })
      .on('error', () => {})
      .end(),
  )
  while (waiting.size < clients.length) await once(app.server, 'request')
  for (const client of clients) client.destroy()
  await Promise.all([...waiting].map((response) => response.destroyed || once(response, 'close')))
  await lock.unsafe('rollback')
  await opened.promise
  t.equal(app.live.streams(), 0)
})

t.test('a late check is tried again, and ends only the streams that stay unchecked', async (t) => {
  const { lines, logTo } = collectLines()
  const { app, db, account, owner, join } = await liveAcme(t, {}, { logTo })
  const member = await join('member')
  const [checked, other] = [
    await openStream(t, app, owner.browser, [acme]),
    await openStream(t, app, member.browser, [acme]),
  ]
  await Promise.all([checked.next(isPresence), other.next(isPresence)])
  const logged = async (message: string) => {
    while (!lines.some(({ msg }) => msg === message)) await sleep(10)
    lines.length = 0
  }
  const hide = () => db.execute(sql`alter table sessions rename to hidden`)
  const show = () => db.execute(sql`alter table hidden rename to sessions`)
  const recheck = () => db.transaction((tx) => recheckUser(tx, owner.user.id))

  await hide()
  await recheck()
  await logged('streams are checked again')
  await show()
  await db.transaction((tx) => broadcast(tx, membersChannel, account.id, { type: 'account' }))
  await Promise.all([checked.next(isMessage), other.next(isMessage)])

  await hide()
  await recheck()
  await logged('streams could not be checked')
  await show()
  await checked.untilEnded()
  t.notOk(other.ended)
})
