import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { activities, rateLimits } from '../../drizzle/schema.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser, type Page } from '../helpers/browser.ts'
import { sharedAcme, signedIn, signedUp } from '../helpers/people.ts'
import { forgetActivities } from '../helpers/records.ts'

type Shown = { id: number; type: string; actor_name: string | null; details: Record<string, unknown> } & Record<
  string,
  unknown
>
const shown = (page: Page): Shown[] => page.props.activities
const typesIn = (page: Page) => shown(page).map(({ type }) => type)

t.test("people see their own activity with its origin, and nobody else's", async (t) => {
  const { app } = await sharedApp(t)
  const { browser, person, user } = await signedUp(app, {}, '198.51.100.9')
  await signedUp(app)
  await signedIn(app, person, '203.0.113.200')

  const page = await browser.visit('/settings/activity')
  t.equal(page.component, 'settings/activity')
  t.same(typesIn(page), ['signed_in', 'account_created', 'signed_up'])
  const [latest] = shown(page)
  t.match(latest, { actor_name: user.name, details: {}, ip_address: '203.0.113.200', user_agent: /Chrome/ })
  t.same(latest?.details.method, 'password')
  t.same(Object.keys(latest ?? {}).sort(), [
    'actor_name',
    'created_at',
    'details',
    'id',
    'ip_address',
    'picture',
    'type',
    'user_agent',
  ])
  t.match(page.scrollProps, { activities: { pageName: 'before', nextPage: null } })
  const guest = await Browser.open(app)
  t.equal((await guest.request('GET', '/settings/activity')).headers.location, '/sign_in')
})

t.test("managers see an account's activity, without addresses or browsers; others are denied", async (t) => {
  const { app, owner, join } = await sharedAcme(t)
  const [admin, member, stranger] = [await join('admin'), await join('member'), await signedUp(app)]
  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' })

  for (const [{ browser }, role] of [
    [owner, 'owner'],
    [admin, 'admin'],
  ] as const) {
    const page = await browser.visit('/acme/activity')
    t.equal(page.component, 'accounts/activity')
    t.same(page.props.membership, { role })
    t.same(typesIn(page), ['account_renamed', 'account_created'])
    t.match(shown(page)[0], { actor_name: owner.user.name, details: { from: 'Acme', to: 'Acme Inc.' } })
    t.same(Object.keys(shown(page)[0] ?? {}).sort(), ['actor_name', 'created_at', 'details', 'id', 'picture', 'type'])
    t.notMatch(JSON.stringify(page.props.activities), /Mozilla|198\.51/)
  }
  const denied = await member.browser.visit('/acme/activity', { referer: 'http://localhost:3000/acme/activity' })
  t.equal(denied.url, '/acme', 'and are not led in a circle')
  t.same(denied.flash, { alert: "You don't have permission to do that" })
  const led = await member.browser.request('GET', '/acme/activity', {
    headers: { referer: 'http://localhost:3000/acme/members?q=a' },
  })
  t.equal(led.headers.location, '/acme/members?q=a', 'but back')
  t.equal((await stranger.browser.request('GET', '/acme/activity')).statusCode, 404)
})

t.test('the invited address is shown for as long as the invitation exists', async (t) => {
  const { app, owner } = await sharedAcme(t)
  await owner.browser.submit('POST', '/acme/invitations', { email: 'new@example.com', role: 'admin' })
  const [invited] = shown(await owner.browser.visit('/acme/activity'))
  t.match(invited, { type: 'member_invited', details: { email: 'new@example.com', role: 'admin' } })
  const kept = await app.db.select().from(activities).where(eq(activities.type, 'member_invited'))
  t.notMatch(JSON.stringify(kept), /new@example/)
})

t.test('lists are paged by position, fifty at a time, and filtered by kind', async (t) => {
  const { db, account, owner } = await sharedAcme(t)
  await forgetActivities(db)
  const { id: accountId } = account
  const row = (n: number) => ({
    type: n % 10 ? 'role_changed' : 'account_renamed',
    accountId,
    details: {},
    userId: n % 2 ? owner.user.id : null,
  })
  await db.insert(activities).values(Array.from({ length: 120 }, (_, n) => row(n)))

  const ids: number[] = []
  let url = '/acme/activity'
  for (const size of [50, 50, 20]) {
    const page = await owner.browser.visit(url)
    t.match(page.scrollProps, { activities: { pageName: 'before' } })
    t.equal(shown(page).length, size)
    ids.push(...shown(page).map(({ id }) => id))
    const { nextPage } = (page.scrollProps as { activities: { nextPage: number | null } }).activities
    t.equal(nextPage, size === 20 ? null : ids.at(-1))
    url = `/acme/activity?before=${nextPage}`
  }
  t.same(
    ids,
    [...ids].sort((a, b) => b - a),
    'the latest first',
  )
  t.equal(new Set(ids).size, 120)

  const renamed = await owner.browser.visit('/acme/activity?kind=account')
  t.equal(renamed.props.kind, 'account')
  t.equal(shown(renamed).length, 12)
  t.ok(typesIn(renamed).every((type) => type === 'account_renamed'))
  t.equal(shown(await owner.browser.visit('/settings/activity?kind=accounts')).length, 50)
  t.equal(shown(await owner.browser.visit('/settings/activity?kind=security')).length, 0)
  for (const query of ['before=x', 'before=-1', 'kind=nothing', 'before=9999999999999999']) {
    t.equal((await owner.browser.request('GET', `/acme/activity?${query}`)).statusCode, 400, query)
    t.equal((await owner.browser.request('GET', `/settings/activity?${query}`)).statusCode, 400, query)
  }
})

t.test('lists are searched by person and time, in UTC, and what makes no sense is ignored', async (t) => {
  const { db, account, owner, join } = await sharedAcme(t)
  const admin = await join('admin')
  await forgetActivities(db)
  const happened = (actorId: number, at: string) =>
    db.insert(activities).values({
      type: 'role_changed',
      actorId,
      accountId: account.id,
      userId: owner.user.id,
      details: { from: at },
      createdAt: new Date(at),
    })
  await happened(owner.user.id, '2026-03-01T23:59:59.999Z')
  await happened(admin.user.id, '2026-03-02T00:00:00Z')
  await happened(owner.user.id, '2026-03-03T23:59:59.999Z')
  await happened(owner.user.id, '2026-03-04T00:00:00Z')
  const all = ['2026-03-04T00:00:00Z', '2026-03-03T23:59:59.999Z', '2026-03-02T00:00:00Z', '2026-03-01T23:59:59.999Z']

  const cases: [string, string[], object][] = [
    [`actor=${admin.user.id}`, ['2026-03-02T00:00:00Z'], { actor: admin.user.id, from: null, to: null }],
    ['from=2026-03-02&to=2026-03-03', all.slice(1, 3), { actor: null, from: '2026-03-02', to: '2026-03-03' }],
    [`actor=${owner.user.id}&from=2026-03-04`, all.slice(0, 1), { actor: owner.user.id, from: '2026-03-04' }],
    ['from=2026-03-04&to=2026-03-01', [], {}],
    ['to=2026-03-01', all.slice(3), {}],
    ...[
      'actor=x',
      'actor=0',
      'actor=',
      'actor=1e3',
      'actor=1&actor=2',
      'from=2026-02-30',
      'from=0000-01-01',
      'to=9999-12-31',
      'to=yesterday',
      'from=2026-03-04T00:00',
      'from=2026-03-04&from=2026-03-05',
      'to=%00',
    ].map((query): [string, string[], object] => [query, all, { actor: null, from: null, to: null }]),
  ]
  for (const [query, expected, filters] of cases) {
    for (const path of ['/acme/activity', '/settings/activity']) {
      const page = await owner.browser.visit(`${path}?${query}`)
      t.same(
        shown(page).map(({ details }) => details.from),
        expected,
        `${path}?${query}`,
      )
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
  await owner.browser.submit('PATCH', '/acme/settings', { name: '=HYPERLINK("https://evil.example","x")' })
  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Two\nlines, and "quotes"' })
  const member = await join('member')
  await owner.browser.submit('PATCH', `/acme/members/${member.membershipId}`, { role: 'admin' })

  const response = await owner.browser.request('GET', '/acme/activity.csv')
  t.equal(response.statusCode, 200)
  t.equal(response.headers['content-type'], 'text/csv; charset=utf-8')
  t.equal(response.headers['content-disposition'], 'attachment; filename="acme-activity.csv"')
  const lines = response.body.split('\r\n')
  t.equal(lines[0], '\ufeff"time","type","actor","person","from","to"', 'with a byte order mark, for Excel')
  t.match(
    lines[1],
    new RegExp(`^"[\\dT:.-]+Z","role_changed","${owner.user.name}","${member.user.name}","member","admin"$`),
  )
  t.ok(response.body.includes(`"'=HYPERLINK(""https://evil.example"",""x"")"`))
  t.ok(response.body.includes('"Two\nlines, and ""quotes"""'))
  t.notMatch(response.body, /Mozilla|198\.51/)

  await db.execute(sql`
    insert into activities (type, account_id, details)
    select 'account_renamed', id, '{"from": "+1", "to": "＝x"}'
    from accounts, generate_series(1, 2500) where slug = 'acme'`)
  const all = await owner.browser.request('GET', '/acme/activity.csv')
  t.equal(all.body.trimEnd().split('\r\n').length, 1 + 2500 + 4, 'all of it')
  t.match(all.body, /,"account_renamed","","","'\+1","'＝x"\r\n/)

  const names = { from: 'Acme;\t\n=1+1,"\r\n@SUM(A1)', to: '\r\n=1+1' }
  const renamed = { type: 'account_renamed', accountId: account.id }
  await db.insert(activities).values({ ...renamed, details: names })
  const [, newest] = rowsOf((await owner.browser.request('GET', '/acme/activity.csv')).body)
  t.same(newest?.slice(1), ['account_renamed', '', '', names.from, `'${names.to}`], 'one row, whatever a name contains')
  for (const from of [' =1+1', '\t+1', '\u00a0\r -1', '\u3000＝1', 'a =1']) {
    await db.insert(activities).values({ ...renamed, details: { from } })
    const [, row] = rowsOf((await owner.browser.request('GET', '/acme/activity.csv')).body)
    t.equal(row?.[4], from.startsWith('a') ? from : `'${from}`, JSON.stringify(from))
  }

  t.notMatch(
    all.body.slice(1).replaceAll(/"(?:[^"]|"")*"/g, ''),
    /[^,\r\n]/,
    'every cell is quoted, whatever separates cells here',
  )
  t.equal((await admin.browser.visit('/acme/activity.csv')).flash?.alert, "You don't have permission to do that")
})

t.test('people can download their own activity as CSV', async (t) => {
  const { app, owner, join } = await sharedAcme(t)
  const member = await join('member')
  await member.browser.submit('PATCH', '/settings/profile', { name: '=1+1' })
  await owner.browser.submit('PATCH', `/acme/members/${member.membershipId}`, { role: 'admin' })
  await signedIn(app, member.person, '203.0.113.200')

  const { statusCode, headers, body } = await member.browser.request('GET', '/settings/activity.csv')
  t.equal(statusCode, 200)
  t.equal(headers['content-type'], 'text/csv; charset=utf-8')
  t.equal(headers['content-disposition'], 'attachment; filename="activity.csv"')
  t.equal(headers['cache-control'], 'no-store')
  t.notMatch(body.slice(1).replaceAll(/"(?:[^"]|"")*"/g, ''), /[^,\r\n]/, 'every cell is quoted')
  const [first, ...rows] = rowsOf(body)
  t.same(first, ['time', 'type', 'actor', 'person', 'from', 'to', 'workspace', 'method', 'ip_address', 'user_agent'])
  const [signIn, role, profile] = rows.map(([, ...cells]) => cells)
  t.same(signIn?.slice(0, 8), ['signed_in', "'=1+1", '', '', '', '', 'password', '203.0.113.200'])
  t.match(signIn?.[8], /Chrome/)
  const name = "'=1+1"
  t.same(role, ['role_changed', owner.user.name, name, 'member', 'admin', 'Acme', '', '', ''], 'not where others were')
  t.same(profile?.slice(0, 5), ['profile_changed', member.user.name, '', member.user.name, name])
  const guest = await Browser.open(app)
  t.equal((await guest.request('GET', '/settings/activity.csv')).headers.location, '/sign_in')
})

/** Reads CSV as RFC 4180 describes it, after the byte order mark. */
function rowsOf(csv: string) {
  const rows: string[][] = [[]]
  for (const [, cell = '', end] of csv.slice(1).matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy)) {
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end !== ',') rows.push([])
  }
  return rows
}
