import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { activities, invitations, memberships, sessions, users } from '../../drizzle/schema.ts'
import { inTurn } from '../../plugins/in-turn.ts'
import { startApp } from '../helpers/app.ts'
import { planOf, statementsDuring } from '../helpers/database.ts'
import { sharedAcme, signedUp, startAcme } from '../helpers/people.ts'
import { forgetActivities } from '../helpers/records.ts'

type Acme = Awaited<ReturnType<typeof sharedAcme>>
type Invited = { email: string }
type Row = { id: number | string; created_at: string }
type List = {
  url: string
  prop: string
  cursor: string
  order(row: Row): number
  /** Adds rows, so that there are 120. */
  fill(acme: Acme): Promise<unknown>
  /** What else a partial reload of the list always has. */
  always: string[]
  wrong: string[]
}

const some = <Each>(count: number, row: (n: number) => Each) => Array.from({ length: count }, (_, n) => row(n))
const lastSeen = ({ last_seen_at }: { last_seen_at?: string }) => last_seen_at
const newestFirst = ({ id }: Row) => -Number(id)
const activity = {
  prop: 'activities',
  cursor: 'before',
  order: newestFirst,
  wrong: ['x', '-1', '9999999999999999'],
  async fill({ db, account, owner }: Acme) {
    await forgetActivities(db)
    const common = { type: 'role_changed', accountId: account.id, userId: owner.user.id, details: {} }
    await db.insert(activities).values(some(120, () => common))
  },
}
const ofMembersPage = { url: '/acme/members', always: ['can_manage', 'membership'], wrong: ['x'] }

const lists: Record<string, List> = {
  members: {
    ...ofMembersPage,
    prop: 'members',
    cursor: 'after',
    order: ({ id }) => Number(id),
    fill: ({ db, account }) =>
      db.execute(sql`
        with people as (
          insert into users (name, email, password_digest)
          select 'Person ' || n, 'person-' || n || '@example.com', '' from generate_series(1, 119) n returning id
        )
        insert into memberships (account_id, user_id, role)
        select ${account.id}, id, 'member' from people order by id desc`),
  },
  invitations: {
    ...ofMembersPage,
    prop: 'invitations',
    cursor: 'invited_before',
    order: newestFirst,
    fill({ db, account }) {
      const common = { accountId: account.id, role: 'member' as const, expiresAt: new Date() }
      return db.insert(invitations).values(some(120, (n) => ({ ...common, email: `guest-${n}@example.com` })))
    },
  },
  'activities of an account': { ...activity, url: '/acme/activity', always: ['membership'] },
  'own activities': { ...activity, url: '/settings/activity', always: [] },
  'own sessions': {
    url: '/settings/sessions',
    prop: 'sessions',
    cursor: 'before',
    order: ({ created_at }) => -Date.parse(created_at),
    always: [],
    wrong: ['', 'x', '1.', '99999999999999.t', '1.a b'],
    fill({ db, owner }) {
      const at = (n: number) => new Date(Date.now() - Math.floor(n / 2) * 1000) // pairs with the same time
      const common = { userId: owner.user.id, userAgent: '', ipAddress: '' }
      return db.insert(sessions).values(some(119, (n) => ({ ...common, token: `t-${n}`, createdAt: at(n) })))
    },
  },
}

for (const [name, { url, prop, cursor, order, fill, always, wrong }] of Object.entries(lists)) {
  t.test(`many ${name} are read page by page, fifty at a time, in their order`, async (t) => {
    const acme = await sharedAcme(t)
    const { browser } = acme.owner
    await fill(acme)
    const rows: Row[] = []
    let path = url
    let headers: Record<string, string> | undefined
    for (const size of [50, 50, 20]) {
      const page = await browser.visit(path, headers)
      t.equal(page.props[prop].length, size)
      rows.push(...page.props[prop])
      const { nextPage, ...scroll } = (page.scrollProps as Record<string, Record<string, unknown>>)[prop] ?? {}
      t.match(scroll, { pageName: cursor, previousPage: null, reset: false })
      t.equal(nextPage === null, size === 20)
      t.ok((page.mergeProps as string[]).includes(prop))
      t.ok((page.matchPropsOn as string[]).includes(`${prop}.id`))
      if (headers) t.same(Object.keys(page.props).sort(), ['auth', 'errors', prop, ...always].sort())
      headers = { 'x-inertia-partial-component': page.component, 'x-inertia-partial-data': prop }
      path = `${url}?${cursor}=${nextPage}`
    }
    t.equal(new Set(rows.map(({ id }) => id)).size, 120)
    const positions = rows.map(order)
    const sorted = positions.toSorted((one, other) => one - other)
    t.same(positions, sorted)
    for (const value of wrong)
      t.equal((await browser.request('GET', `${url}?${cursor}=${value}`)).statusCode, 400, value)
  })
}

for (const [name, { url, prop, cursor, fill }] of Object.entries(lists).filter(([name]) => name !== 'own sessions')) {
  t.test(`${name} that a page loads again stay as many as it shows`, async (t) => {
    const acme = await sharedAcme(t)
    await fill(acme)
    const { browser } = acme.owner
    const first = await browser.visit(url)
    const loadedAgain = async (rows: string) => {
      const partial = { 'x-inertia-partial-component': first.component, 'x-inertia-reset': prop }
      return (await browser.visit(url, { ...partial, 'x-inertia-partial-data': prop, 'x-rows': rows })).props[prop]
        .length
    }
    t.equal(await loadedAgain(`other=10&${cursor}=101`), 101)
    for (const odd of ['', `${cursor}=7`, `${cursor}=x`, `${cursor}=-1`]) t.equal(await loadedAgain(odd), 50, odd)
  })
}

t.test('members are sorted by name, and for managers by when they were active, page by page', async (t) => {
  const acme = await sharedAcme(t)
  const member = await acme.join('member')
  await lists.members?.fill(acme)
  const sortedBy = async (sort: string, { browser: reader } = acme.owner) => {
    const rows: { id: number; name: string; last_seen_at: string | null }[] = []
    let path = `/acme/members?sort=${sort}`
    while (path) {
      const page = await reader.visit(path)
      rows.push(...page.props.members)
      const { nextPage } = (page.scrollProps as Record<string, { nextPage: number | null }>).members ?? {}
      path = nextPage ? `/acme/members?sort=${sort}&after=${nextPage}` : ''
    }
    return rows
  }
  const [joined, byName, bySeen] = [await sortedBy('x'), await sortedBy('name'), await sortedBy('seen')]
  const names = byName.map(({ name }) => name.toLowerCase())
  t.same(names, names.toSorted())
  t.equal(new Set(byName.map(({ id }) => id)).size, joined.length)
  const seen = bySeen.map(({ last_seen_at }) => last_seen_at ?? '')
  t.same(seen, seen.toSorted().toReversed(), 'the latest first, and last who was never seen')
  t.ok(seen[0])
  t.equal(new Set(bySeen.map(({ id }) => id)).size, joined.length)
  const toMember = (await sortedBy('seen', member)).map(({ id }) => id)
  t.same(
    toMember,
    joined.map(({ id }) => id),
    'which is for managers to know',
  )
})

t.test('a search finds names without their accents, and managers filter by second factor', async (t) => {
  const { app, db, owner, join, account } = await sharedAcme(t)
  const member = await join('member')
  for (const name of ['Jürgen Özdemir', 'Kåre Sørensen', 'Strauß', 'ΕΛΈΝΗ', '100% \\o/ under_score']) {
    const { user } = await signedUp(app, { name })
    await db.insert(memberships).values({ accountId: account.id, userId: user.id, role: 'member' })
  }
  const propsFor = async (name: string, value: string, { browser } = owner) =>
    (await browser.visit(`/acme/members?${name}=${encodeURIComponent(value)}`)).props
  const searches = { ozdemir: 'Jürgen Özdemir', SORENSEN: 'Kåre Sørensen', strauss: 'Strauß', ελενη: 'ΕΛΈΝΗ' }
  for (const [typed, name] of Object.entries(searches)) {
    const { members } = await propsFor('q', typed)
    t.same([members.length, members[0]?.name], [1, name], typed)
  }
  for (const wildcard of ['100%', '%', '_', '\\'])
    t.equal((await propsFor('q', wildcard)).search?.found, 1, 'wildcards are taken literally')
  t.equal((await propsFor('q', '\0')).search, undefined, 'what no name can hold is not looked for')
  t.equal((await propsFor('q', '  ')).search, undefined)

  t.same((await propsFor('second_factor', 'yes')).members, [])
  t.equal((await propsFor('second_factor', 'no')).members.length, 7)
  t.equal((await propsFor('second_factor', 'yes', member)).members.length, 7, 'which is for managers to know')
})

t.test('a search finds invited addresses beside members, for managers alone, and counts both', async (t) => {
  const { db, owner, join, account } = await sharedAcme(t)
  const [member, admin] = [await join('member'), await join('admin')]
  const common = { accountId: account.id, role: 'member' as const, expiresAt: new Date() }
  const emails = ['jürgen@example.com', 'jurgen_2@example.com', 'ben@example.com', 'accepted.jurgen@example.com']
  const invited = emails.map((email) => ({
    ...common,
    email,
    acceptedAt: email.includes('accepted') ? new Date() : null,
  }))
  await db.insert(invitations).values(invited)
  const propsFor = async (query: string, { browser } = owner) => (await browser.visit(`/acme/members?${query}`)).props
  const found = async (query: string, as = owner) => {
    const { search, invitations, members } = await propsFor(query, as)
    return [search.found, members.length, search.found_invitations, invitations.map(({ email }: Invited) => email)]
  }
  t.same(await found('q=JURGEN', admin), [0, 0, 2, [emails[1], emails[0]]])
  t.same(await found('q=jurgen_'), [0, 0, 1, [emails[1]]], 'wildcards are taken literally')
  t.same(await found('q=jurgen', member), [0, 0, 0, []])
  t.same((await found('role=admin')).slice(0, 3), [1, 1, 3], 'other filters are about members')

  const headers = { 'x-inertia-partial-component': 'accounts/members', 'x-inertia-partial-data': 'totals' }
  const totalsFor = async ({ browser } = owner) => (await browser.visit('/acme/members?q=ben', headers)).props.totals
  t.same(await totalsFor(), { members: 3, invitations: 3, sole_owner: true }, 'whatever is searched')
  t.same(await totalsFor(member), { members: 3, invitations: 0, sole_owner: false })
})

t.test('managers see when each member was last seen, in whatever browser', async (t) => {
  const { db, owner, join, account } = await sharedAcme(t)
  const member = await join('member')
  const [seen, before] = [new Date('2026-03-02T10:00:00Z'), new Date('2026-03-01T10:00:00Z')]
  await db.update(sessions).set({ lastSeenAt: before }).where(eq(sessions.userId, member.user.id))
  const older = { userId: member.user.id, userAgent: '', ipAddress: '', createdAt: before }
  await db.insert(sessions).values({ ...older, token: 'another', lastSeenAt: seen })
  const [stranger] = await db.insert(users).values({ name: 'Cleo', email: 'cleo@example.com' }).returning()
  await db.insert(memberships).values({ accountId: account.id, userId: stranger?.id ?? 0, role: 'member' })
  const { members } = (await owner.browser.visit('/acme/members')).props
  t.same(members.slice(1).map(lastSeen), [seen.toISOString(), null])
  t.same((await member.browser.visit('/acme/members')).props.members.map(lastSeen), [undefined, undefined, undefined])
})

t.test('a search reads what is stored, and finds as many on each page', async (t) => {
  const { db, owner, account } = await sharedAcme(t)
  await db.execute(sql`
    with people as (
      insert into users (name, email, password_digest)
      select 'Jürgen ' || n, 'person-' || n || '@example.com', '' from generate_series(1, 119) n returning id
    )
    insert into memberships (account_id, user_id, role) select ${account.id}, id, 'member' from people`)
  const foundOn = async (path: string) => (await owner.browser.visit(`/acme/members?q=jurgen%20${path}`)).props.search
  t.equal((await foundOn('')).found, 119)

  const [{ search } = {}] = (await db.execute(sql`select search from users where name = 'Jürgen 7'`)).rows
  t.equal(search, 'jurgen 7 person-7@example.com')
  await db.execute(sql`update users set name = 'Sören' where name = 'Jürgen 119'`)
  const first = await owner.browser.visit('/acme/members?q=jurgen')
  const next = (first.scrollProps as { members: { nextPage: number } }).members.nextPage
  t.same([first.props.search.found, (await foundOn(`&after=${next}`)).found], [118, 118])
})

t.test('a search among 10,000 members looks them up, and reads nobody of other workspaces', async (t) => {
  const { app, db } = await startApp(t)
  const { account, owner } = await startAcme(app)
  const { id: personal } = (await owner.browser.visit(`/${owner.slug}`)).props.account
  await db.execute(sql`
    with people as (
      insert into users (name, email, password_digest)
      select case when n % 400 = 0 then 'Müge ' else 'Ana ' end || n, n || '@example.com', ''
      from generate_series(1, 30000) n returning id
    )
    insert into memberships (account_id, user_id, role)
    select case when id % 3 = 0 then ${account.id}::bigint else ${personal}::bigint end, id, 'member'
    from people`)
  await db.execute(sql`
    insert into sessions (token, user_id, user_agent, ip_address) select 'of-' || id, id, '', '' from users`)
  await db.execute(sql`
    insert into invitations (account_id, email, role, expires_at)
    select case when n % 20 = 0 then ${account.id}::bigint else ${personal}::bigint end,
      n || '-muge@example.com', 'member', now() from generate_series(1, 10000) n`)
  await db.execute(sql`vacuum analyze`)
  const search = () => owner.browser.visit('/acme/members?q=muge')
  const { props } = await search()
  t.same([props.members.length, props.search.found], [25, 25], 'a third of the people with this name')
  t.same([props.invitations.length, props.search.found_invitations], [50, 500])
  const statements = (await statementsDuring(search)).filter(({ text }) => text.includes('plain_letters'))
  t.equal(statements.length, 4, 'of which two count')
  for (const statement of statements) {
    const plan = await planOf(db.pool, statement)
    t.notMatch(plan, /Seq Scan on (users|memberships|invitations)/)
    if (statement.text.includes('from "invitations"')) continue
    t.match(plan, /Scan (using|on) memberships_account_id/)
    t.match(plan, /Index Scan using users_pkey on users who/)
    if (statement.text.includes('max(')) t.match(plan, /Index Scan using sessions_user_id_created_at_index on sessions/)
  }
})

t.test('of two searches of a person, the second waits, and is not begun once the client has left', async (t) => {
  const search = inTurn()
  const [first, second, client] = [
    Promise.withResolvers<string>(),
    Promise.withResolvers<string>(),
    new AbortController(),
  ]
  const begun: string[] = []
  const begin = (name: string, result: Promise<string>) => () => {
    begun.push(name)
    return result
  }
  const { signal } = new AbortController()
  const answers = [search(1, signal, begin('first', first.promise)), search(1, signal, begin('second', second.promise))]
  const left = search(1, client.signal, begin('of a client that left', second.promise))
  t.equal(await search(2, signal, begin("another person's", Promise.resolve('own'))), 'own')
  t.same(begun, ['first', "another person's"])
  client.abort()
  first.reject(new Error('failed'))
  second.resolve('found')
  await t.rejects(answers[0] as Promise<string>)
  t.equal(await answers[1], 'found')
  await t.rejects(left, { message: 'the client left while its request waited' })
  t.same(begun.at(-1), 'second')
})
