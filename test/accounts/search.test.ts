import { sql } from 'drizzle-orm'
import t from 'tap'
import { memberships } from '../../drizzle/schema.ts'
import { selectMembers } from '../../features/accounts/members.ts'
import { startAcme } from '../helpers/accounts.ts'
import { sharedApp, startApp } from '../helpers/app.ts'
import { signedUp } from '../helpers/people.ts'

t.test('a search treats wildcards literally', async (t) => {
  const { app, db } = await sharedApp(t)
  const { owner, account } = await startAcme(app)
  const percent = await signedUp(app, { name: '100% \\o/ under_score' })
  await db.insert(memberships).values({ accountId: account.id, userId: percent.user.id, role: 'member' })
  const found = async (q: string) =>
    (await owner.browser.visit(`/acme/members?q=${encodeURIComponent(q)}`)).props.search?.found
  t.equal(await found('100%'), 1)
  t.equal(await found('%'), 1)
  t.equal(await found('_'), 1)
  t.equal(await found('\\'), 1)
  t.equal(await found('\0'), undefined, 'what no name can hold is not looked for')
  t.equal(await found('  '), undefined)
})

t.test('ten thousand members are searched with a single fast query', async (t) => {
  const { app, db } = await startApp(t)
  const { owner, account } = await startAcme(app)
  await db.execute(sql`
    with people as (
      insert into users (name, email, password_digest)
      select 'Person ' || n, 'person-' || n || '@example.com', '' from generate_series(1, 10000) n returning id
    )
    insert into memberships (account_id, user_id, role) select ${account.id}, id, 'member' from people`)
  await db.execute(sql`analyze`)
  const { headers } = await owner.browser.request('GET', '/acme/members?q=person-9999%40')
  t.match(headers['server-timing'], /"3 queries"/)
  const page = await owner.browser.visit('/acme/members?q=PERSON-99&role=member')
  t.match(page.props.search, { q: 'PERSON-99', role: 'member', found: 111 })
  t.equal(page.props.members.length, 50)

  const plan = await db.execute(
    sql`explain (analyze, format json) ${selectMembers(db, account.id, 0, { q: 'person-99', role: '' })}`,
  )
  t.comment(JSON.stringify(plan[0]).match(/Execution Time[^,}]*/)?.[0] ?? '')
})
