import { sql } from 'drizzle-orm'
import t from 'tap'
import { findAccounts, findLog, findUsers } from '../../features/operators/lists.ts'
import { startApp } from '../helpers/app.ts'
import { planOf, statementsDuring } from '../helpers/database.ts'
import { signedUp, startAcme, verifiedUp } from '../helpers/people.ts'
import { operatorUp } from '../helpers/second-factors.ts'

const { app, clock, db } = await startApp(t)

t.test('people are found by id, or the beginning of address or name, newest first', async (t) => {
  const { browser } = await operatorUp({ app, clock })
  const zoe = await signedUp(app, { name: 'Zoë 100%_Real', email: 'first@example.com' })
  const zora = await verifiedUp(app, { name: 'ZORA', email: 'zed@example.com' })
  const find = async (q: string, more = '') =>
    (await browser.visit(`/admin/users?q=${encodeURIComponent(q)}${more}`)).props.users.map(
      ({ id }: { id: number }) => id,
    )
  const both = [zora.user.id, zoe.user.id]
  t.same(await find('zO'), both)
  t.same(await find(' ZOË '), [zoe.user.id])
  t.same(await find('zoë 100%_r'), [zoe.user.id])
  for (const q of ['%', '_', 'o', 'example.com', 'Real', '9'.repeat(15), '9'.repeat(16), String(2 ** 53)])
    t.same(await find(q), [], q)
  t.same(await find('FIRST@'), [zoe.user.id])
  t.same(await find(String(zora.user.id)), [zora.user.id])
  t.same(await find('zo', `&before=${zora.user.id}`), [zoe.user.id])
  t.equal((await find('\0')).length, 3, 'no search')
  const { props, scrollProps } = await browser.visit('/admin/users')
  t.same(Object.keys(props.users[0]), ['id', 'name', 'email', 'verified', 'created_at', 'suspended_at'])
  t.match(scrollProps, { users: { pageName: 'before', nextPage: null } })

  await startAcme(app)
  const { accounts } = (await browser.visit('/admin/accounts?q=aC')).props
  t.match(accounts, [{ name: 'Acme', slug: 'acme' }])
  t.same(Object.keys(accounts[0]), ['id', 'name', 'slug', 'created_at'])
  t.equal((await browser.visit(`/admin/accounts?q=${accounts[0].id}`)).props.accounts.length, 1)
  t.equal((await browser.visit('/admin/accounts?q=cme')).props.accounts.length, 0)
})

t.test('among 100,000 people and workspaces, no search reads a whole table', async (t) => {
  await db.execute(sql`insert into users (name, email)
    select 'Person ' || md5(n::text), md5((n * 7)::text) || '@example.com' from generate_series(1, 100000) n`)
  await db.execute(sql`insert into accounts (name, slug)
    select 'Place ' || md5(n::text), md5((n * 7)::text) from generate_series(1, 100000) n`)
  await db.execute(sql`insert into operator_log (operator_id, action, ip_address)
    select 1, 'users_searched', '' from generate_series(1, 100000)`)
  await db.execute(sql.raw('analyze users; analyze accounts; analyze operator_log'))
  for (const q of ['', '5', 'a', 'person', 'PERSON 1', 'Person c4ca', 'c4ca4238a0', 'nobody at all', 'place 1'])
    for (const before of [undefined, '50000'])
      for (const find of [findUsers, findAccounts, findLog]) {
        const [statement] = await statementsDuring(() => find(db, { q, ...(before && { before }) }))
        if (!statement) throw new Error('nothing was asked')
        const plan = await planOf(db.pool, statement)
        t.notMatch(plan, 'Seq Scan', `${find.name} ${q}`)
        if (q.length > 9 && find === findUsers) t.match(plan, /Index (Scan|Cond).*_begins/, plan)
      }
})
