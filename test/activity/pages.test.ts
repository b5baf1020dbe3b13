import { once } from 'node:events'
import { request } from 'node:http'
import { eq, sql } from 'drizzle-orm'
import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { activities, rateLimits } from '../../drizzle/schema.ts'
import { selectActivities } from '../../features/activity/lists.ts'
import { rendering, sharedApp } from '../helpers/app.ts'
import { Browser, type Page } from '../helpers/browser.ts'
import { planOf } from '../helpers/database.ts'
import { sharedAcme, sharedLiveAcme, signedIn, signedUp, startAcme } from '../helpers/people.ts'
import { forgetActivities } from '../helpers/records.ts'

type Shown = { type: string; actor_name: string | null; created_at: string; details: Record<string, unknown> }
const shown = (page: Page): Shown[] => page.props.activities
const typesIn = (page: Page) => shown(page).map(({ type }) => type)
const denied = { alert: "You don't have permission to do that" }

t.test('an activity with a list in its details is told in words, too', async (t) => {
  const { app, db } = await sharedApp(t, rendering)
  const { browser, user } = await signedUp(app)
  const byUser = { actorId: user.id, actorName: user.name, userId: user.id }
  await db
    .insert(activities)
    .values([{ ...byUser, type: 'email_changed', details: { since: new Date().toISOString(), ways: ['password'] } }])
  const { html } = await browser.document('/settings/activity')
  t.match(html, 'The earlier email address is back')
  t.match(html, 'Removed: the password.')
})

t.test('what a newer process has written blanks no page', async (t) => {
  const { app, db } = await sharedApp(t, rendering)
  const { owner, account, path } = await startAcme(app)
  const byAna = { actorId: owner.user.id, actorName: 'Ana', userId: owner.user.id, accountId: account.id }
  const written = {
    member_joined: { role: 'guest' },
    role_changed: { from: 'member', to: 'guest', account_name: 'Acme' },
    account_renamed: { from: 'Acme', to: { en: 'Acme Ltd' } },
    account_sold: {},
  }
  for (const [type, details] of Object.entries(written)) await db.insert(activities).values({ ...byAna, type, details })
  for (const address of [`${path}/activity`, '/settings/activity']) {
    const { html } = await owner.browser.document(address)
    const text = html.replaceAll(/<[^>]+>/g, '')
    for (const type of Object.keys(written)) t.match(text, new RegExp(`(Ana|You) ${type}`), address)
  }
})

t.test("people see their own activity with its origin, and nobody else's", async (t) => {
  const { app } = await sharedApp(t)
  const { browser, person, user } = await signedUp(app, {}, '198.51.100.9')
  await signedUp(app)
  const elsewhere = await signedIn(app, person, '203.0.113.200')

  const page = await browser.visit('/settings/activity')
  t.equal(page.component, 'settings/activity')
  t.same(typesIn(page), ['signed_in', 'account_created', 'signed_up'])
  const [latest] = shown(page)
  t.match(latest, { actor_name: user.name, ip_address: '203.0.113.200', user_agent: /Chrome/ })
  t.same(latest?.details.method, 'password')
  const { open_sessions } = page.props
  t.same(open_sessions, [{ id: elsewhere.page.props.auth.session.id, activity_id: page.props.activities[0].id }])
  const own = await elsewhere.browser.visit('/settings/activity')
  t.same(own.props.open_sessions, [], 'neither the current one nor that of the sign-up')
  const keys = Object.keys(latest ?? {}).sort()
  t.equal(keys.join(' '), 'actor_name created_at details id ip_address picture type user_agent')
  const guest = await Browser.open(app)
  t.equal((await guest.request('GET', '/settings/activity.csv')).headers.location, '/sign_in')
})

t.test("managers see an account's activity, without addresses or browsers; others are denied", async (t) => {
  const { owner, join } = await sharedAcme(t)
  const [admin, member] = [await join('admin'), await join('member')]
  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' })
  for (const [role, { browser }] of Object.entries({ owner, admin })) {
    const page = await browser.visit('/acme/activity')
    t.equal(page.component, 'accounts/activity')
    t.same(page.props.membership, { role })
    t.same(typesIn(page), ['account_renamed', 'account_created'])
    const [renamed] = shown(page)
    t.match(renamed, { actor_name: owner.user.name, details: { from: 'Acme', to: 'Acme Inc.' } })
    t.same(Object.keys(renamed ?? {}).sort(), ['actor_name', 'created_at', 'details', 'id', 'picture', 'type'])
    t.notMatch(JSON.stringify(shown(page)), /Mozilla|198\.51/)
  }
  const led = (path: string) => member.browser.visit('/acme/activity', { referer: `http://localhost:3000${path}` })
  const refused = await led('/acme/activity')
  t.equal(refused.url, '/acme', 'and are not led in a circle')
  t.same(refused.flash, denied)
  t.equal((await led('/acme/members?q=a')).url, '/acme/members?q=a', 'but back')
})

t.test('the invited address is shown for as long as the invitation exists', async (t) => {
  const { app, owner } = await sharedAcme(t)
  await owner.browser.submit('POST', '/acme/invitations', { email: 'new@example.com', role: 'admin' })
  const [invited] = shown(await owner.browser.visit('/acme/activity'))
  t.match(invited, { type: 'member_invited', details: { email: 'new@example.com', role: 'admin' } })
  const kept = await app.db.select().from(activities).where(eq(activities.type, 'member_invited'))
  t.notMatch(JSON.stringify(kept), /new@example/)
})

t.test('lists are filtered by kind', async (t) => {
  const { db, account, owner } = await sharedAcme(t)
  await forgetActivities(db)
  const common = { accountId: account.id, details: {} }
  const types = ['account_renamed', 'role_changed', 'account_renamed']
  await db.insert(activities).values(types.map((type, n) => ({ ...common, type, userId: n ? owner.user.id : null })))
  const typesAt = async (url: string) => typesIn(await owner.browser.visit(url))
  t.equal((await owner.browser.visit('/acme/activity?kind=account')).props.kind, 'account')
  t.same(await typesAt('/acme/activity?kind=account'), ['account_renamed', 'account_renamed'])
  t.same(await typesAt('/settings/activity?kind=accounts'), ['account_renamed', 'role_changed'])
  t.same(await typesAt('/settings/activity?kind=security'), [])
  for (const path of ['/acme/activity', '/settings/activity'])
    t.equal((await owner.browser.request('GET', `${path}?kind=nothing`)).statusCode, 400)
})

t.test('lists are searched by person and time, in UTC, and what makes no sense is ignored', async (t) => {
  const { db, account, owner, join } = await sharedAcme(t)
  const admin = await join('admin')
  await forgetActivities(db)
  const common = { type: 'role_changed', accountId: account.id, userId: owner.user.id }
  const all = ['2026-03-04T00:00:00Z', '2026-03-03T23:59:59.999Z', '2026-03-02T00:00:00Z', '2026-03-01T23:59:59.999Z']
  const actors = [owner, owner, admin, owner].map(({ user }) => user.id)
  const at = (from: string) => ({ ...common, details: { from }, createdAt: new Date(from) })
  const happened = all.map((from, n) => ({ ...at(from), actorId: actors[n] }))
  await db.insert(activities).values(happened.toReversed())

  const none = { actor: null, from: null, to: null }
  const cases: [string, string[], object][] = [
    [`actor=${admin.user.id}`, all.slice(2, 3), { ...none, actor: admin.user.id }],
    ['from=2026-03-02&to=2026-03-03', all.slice(1, 3), { ...none, from: '2026-03-02', to: '2026-03-03' }],
    [`actor=${owner.user.id}&from=2026-03-04`, all.slice(0, 1), { actor: owner.user.id, from: '2026-03-04', to: null }],
    ['from=2026-03-04&to=2026-03-01', [], { ...none, from: '2026-03-04', to: '2026-03-01' }],
    ['to=2026-03-01', all.slice(3), { ...none, to: '2026-03-01' }],
  ]
  const actorsOfNobody = ['actor=x', 'actor=0', 'actor=', 'actor=1e3', 'actor=1&actor=2']
  const noDays = [
    'from=2026-02-30',
    'from=0000-01-01',
    'from=2026-03-04T00:00',
    'to=9999-12-31',
    'to=yesterday',
    'to=%00',
  ]
  for (const query of [...actorsOfNobody, ...noDays, 'from=2026-03-04&from=2026-03-05']) cases.push([query, all, none])
  for (const [query, expected, filters] of cases) {
    for (const path of ['/acme/activity', '/settings/activity']) {
      const page = await owner.browser.visit(`${path}?${query}`)
      const found = shown(page).map(({ details }) => details.from)
      t.same(found, expected, `${path}?${query}`)
      t.match(page.props.filters, filters, query)
    }
  }
  const { people } = (await owner.browser.visit('/acme/activity')).props
  const ids = people.map(({ id }: { id: number }) => id)
  t.same(ids, [owner.user.id, admin.user.id])
})

t.test('days are those of the zone that the page sends, on pages and in downloads, and else of UTC', async (t) => {
  const { db, account, owner } = await sharedAcme(t)
  const days: [tz: string, day: string, begins: string, ends: string][] = [
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ['Asia/Beirut', '2025-03-30', '2025-03-29T22:00:00Z', '2025-03-30T21:00:00Z'], // without a midnight
    ['America/Havana', '2025-11-02', '2025-11-02T04:00:00Z', '2025-11-03T05:00:00Z'], // with two of them
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00Z', '2026-01-01T18:15:00Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00Z', '2026-01-01T10:00:00Z'],
    ['Pacific/Pago_Pago', '2026-01-01', '2026-01-01T11:00:00Z', '2026-01-02T11:00:00Z'],
    ...['', 'Mars/Olympus', '%2B02:00', 'UTC&tz=Asia/Tokyo', '%00', 'x'.repeat(5_000)].map(
      (tz) => [tz, '2026-01-01', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'] as const satisfies string[],
    ),
  ]
  for (const [tz, day, begins, ends] of days) {
    await forgetActivities(db)
    await db.delete(rateLimits)
    const [first, end] = [Date.parse(begins), Date.parse(ends)]
    const happened = [first - 1, first, end - 1, end].map((time) => new Date(time))
    const common = { type: 'role_changed', userId: owner.user.id, accountId: account.id, details: {} }
    await db.insert(activities).values(happened.map((createdAt) => ({ ...common, createdAt })))
    const expected = [happened[2]?.toISOString(), happened[1]?.toISOString()]
    const query = `from=${day}&to=${day}&tz=${tz}`
    for (const path of ['/acme/activity', '/settings/activity']) {
      const page = await owner.browser.visit(`${path}?${query}`)
      const shownTimes = shown(page).map(({ created_at }) => created_at)
      t.same(shownTimes, expected, `${path}?${query}`)
      const { body } = await owner.browser.request('GET', `${path}.csv?${query}`)
      const times = rowsOf(body).flatMap(([time]) => time || [])
      t.same(times.slice(1), expected, `${path}.csv?${query}`)
    }
  }
})

t.test("owners can download an account's activity as CSV without live formulas", async (t) => {
  const { db, owner, join, account } = await sharedAcme(t)
  const admin = await join('admin')
  const download = async () => (await owner.browser.request('GET', '/acme/activity.csv')).body
  await owner.browser.submit('PATCH', '/acme/settings', { name: '=HYPERLINK("https://evil.example","x")' })
  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Two\nlines, and "quotes"' })
  const member = await join('member')
  await owner.browser.submit('PATCH', `/acme/members/${member.membershipId}`, { role: 'admin' })

  const response = await owner.browser.request('GET', '/acme/activity.csv')
  isDownload(t, response, 'acme-activity.csv')
  const [head, latest] = response.body.split('\r\n')
  t.equal(head, '\ufeff"time","type","actor","person","from","to"', 'with a byte order mark, for Excel')
  const cells = `"role_changed","${owner.user.name}","${member.user.name}","member","admin"`
  t.match(latest, new RegExp(`^"[\\dT:.-]+Z",${cells}$`))
  t.ok(response.body.includes(`"'=HYPERLINK(""https://evil.example"",""x"")"`))
  t.ok(response.body.includes('"Two\nlines, and ""quotes"""'))
  t.notMatch(response.body, /Mozilla|198\.51/)

  await db.execute(sql`
    insert into activities (type, account_id, details)
    select 'account_renamed', id, '{"from": "+1", "to": "＝x"}'
    from accounts, generate_series(1, 2500) where slug = 'acme'`)
  const all = await download()
  t.equal(all.trimEnd().split('\r\n').length, 1 + 2500 + 4, 'all of it')
  t.match(all, /,"account_renamed","","","'\+1","'＝x"\r\n/)

  const names = { from: 'Acme;\t\n=1+1,"\r\n@SUM(A1)', to: '\r\n=1+1' }
  const renamed = { type: 'account_renamed', accountId: account.id }
  await db.insert(activities).values({ ...renamed, details: names })
  const [, newest] = rowsOf(await download())
  t.same(newest?.slice(1), ['account_renamed', '', '', names.from, `'${names.to}`], 'one row, whatever a name contains')
  for (const from of [' =1+1', '\t+1', '\u00a0\r -1', '\u3000＝1', 'a =1']) {
    await db.insert(activities).values({ ...renamed, details: { from } })
    const [, row] = rowsOf(await download())
    t.equal(row?.[4], from.startsWith('a') ? from : `'${from}`, JSON.stringify(from))
  }
  t.same((await admin.browser.visit('/acme/activity.csv')).flash, denied)
})

t.test('people can download their own activity as CSV', async (t) => {
  const { app, owner, join } = await sharedAcme(t)
  const member = await join('member')
  await member.browser.submit('PATCH', '/settings/profile', { name: '=1+1' })
  await owner.browser.submit('PATCH', `/acme/members/${member.membershipId}`, { role: 'admin' })
  await signedIn(app, member.person, '203.0.113.200')

  const response = await member.browser.request('GET', '/settings/activity.csv')
  isDownload(t, response, 'activity.csv')
  const [first, ...rows] = rowsOf(response.body)
  t.same(first, ['time', 'type', 'actor', 'person', 'from', 'to', 'workspace', 'method', 'ip_address', 'user_agent'])
  const [signIn, role, profile] = rows.map(([, ...cells]) => cells)
  const name = "'=1+1"
  t.same(signIn?.slice(0, 8), ['signed_in', name, '', '', '', '', 'password', '203.0.113.200'])
  t.match(signIn?.[8], /Chrome/)
  t.same(role, ['role_changed', owner.user.name, name, 'member', 'admin', 'Acme', '', '', ''], 'not where others were')
  t.same(profile?.slice(0, 5), ['profile_changed', member.user.name, '', member.user.name, name])
})

t.test('a person has one running download, and the next one when it has ended', async (t) => {
  const { app, db, account, owner, join } = await sharedLiveAcme(t)
  const other = await join('owner')
  // More than the buffers of a connection hold.
  const details = JSON.stringify({ from: 'x'.repeat(10_000) })
  await db.execute(sql`
    insert into activities (type, account_id, details)
    select 'account_renamed', ${account.id}, ${details}::jsonb from generate_series(1, 3000)`)

  const begun = async (browser: Browser) => {
    const headers = { ...browser.headers, cookie: browser.cookieHeader() }
    const [response] = await once(request(`${app.listeningOrigin}/acme/activity.csv`, { headers }).end(), 'response')
    return response
  }
  const running = await begun(owner.browser)
  t.equal(running.statusCode, 200)
  for (const path of ['/acme/activity', '/settings/activity']) {
    const page = await owner.browser.visit(`${path}.csv`, { referer: `http://localhost:3000${path}?from=2026-01-01` })
    t.same([page.url, page.flash?.alert], [`${path}?from=2026-01-01`, 'Try again later.'])
  }
  const beside = await begun(other.browser)
  t.equal(beside.statusCode, 200)

  for (const response of [running, beside]) response.destroy()
  while ((await owner.browser.request('GET', '/settings/activity.csv')).statusCode !== 200) await db.delete(rateLimits)
})

function isDownload(t: Test, { statusCode, headers, body }: LightMyRequestResponse, name: string) {
  t.equal(statusCode, 200)
  t.equal(headers['content-type'], 'text/csv; charset=utf-8')
  t.equal(headers['content-disposition'], `attachment; filename="${name}"`)
  t.equal(headers['cache-control'], 'no-store')
  t.notMatch(body.slice(1).replaceAll(/"(?:[^"]|"")*"/g, ''), /[^,\r\n]/, 'whatever separates cells, each is quoted')
}

/** Reads CSV as RFC 4180 describes it, after the byte order mark. */
function rowsOf(csv: string) {
  const rows: string[][] = [[]]
  for (const [, cell = '', end] of csv.slice(1).matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy)) {
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end !== ',') rows.push([])
  }
  return rows
}

t.test('activity of some days, and each further page, is one range of an index, however much there is', async (t) => {
  const { db, account } = await sharedAcme(t)
  await db.execute(sql`
    insert into activities (type, account_id, details, created_at)
    select 'account_renamed', ${account.id}, '{}', now() - n * interval '10 minutes' from generate_series(1, 30000) n`)
  await db.execute(sql`vacuum analyze activities`)
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  const ofSomeDays = { from: '2020-01-01', to: daysAgo(150).toISOString().slice(0, 10) }
  const asked = [
    selectActivities(db, { accountId: account.id }, ofSomeDays),
    selectActivities(db, { accountId: account.id }, {}, { createdAt: daysAgo(200), id: 1 }),
    selectActivities(db, { accountId: account.id }, { to: ofSomeDays.to }, { createdAt: daysAgo(200), id: 1 }),
    selectActivities(db, { accountId: account.id }, ofSomeDays, { createdAt: daysAgo(1), id: 1 }),
  ]
  for (const query of asked) {
    const { sql: text, params: values } = query.toSQL()
    const plan = await planOf(db.pool, { text, values }, 'analyze, buffers, timing off')
    t.match(plan, /Index Scan.*activities_account_id_created_at_id_index.*actual rows=51\b/)
    t.notMatch(plan, /Rows Removed by Filter|Sort/)
    const [, buffers] = /Buffers: shared hit=(\d+)/.exec(plan) ?? []
    t.ok(Number(buffers) < 20, `reads ${buffers} blocks, of which the index alone has more than a hundred`)
  }
})

t.test('the next page begins where the one before ended, also if its last row is gone', async (t) => {
  const { db, account, owner } = await sharedAcme(t)
  await forgetActivities(db)
  const common = { type: 'role_changed', accountId: account.id, userId: owner.user.id }
  const recordedAt = (from: number) => ({ ...common, details: { from }, createdAt: new Date(1_800_000_000_000 - from) })
  await db.insert(activities).values(Array.from({ length: 120 }, (_, index) => recordedAt(120 - index)))
  const first = await owner.browser.visit('/acme/activity')
  const { nextPage } = (first.scrollProps as { activities: { nextPage: number } }).activities
  await db.delete(activities).where(eq(activities.id, nextPage))
  const second = await owner.browser.visit(`/acme/activity?before=${nextPage}`)
  const froms = [...shown(first), ...shown(second)].map(({ details }) => details.from)
  t.same(
    froms,
    Array.from({ length: 100 }, (_, index) => index + 1),
  )
})
