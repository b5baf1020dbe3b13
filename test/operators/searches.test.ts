import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { findAccounts, findLog, findUsers } from '../../features/operators/lists.ts'
import { startApp } from '../helpers/app.ts'
import { planOf, statementsDuring } from '../helpers/database.ts'
import { operatorUp } from '../helpers/operators.ts'
import { signedUp, startAcme, verifiedUp } from '../helpers/people.ts'

const { app, clock, db } = await startApp(t)

t.test('people are found by id, or the beginning of the address or of words of the name, newest first', async (t) => {
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
  for (const q of ['FIRST@', '100%', 'Zoe', '100% z', 'zoe first', 'Zoë <first@EXAMPLE.com>', 'first @ example.com'])
    t.same(await find(q), [zoe.user.id], q)
  t.same(await find(String(zora.user.id)), [zora.user.id])
  const numbered = await signedUp(app, { name: `Agent ${zora.user.id}7`, email: 'agent@example.com' })
  t.same(await find(String(zora.user.id)), [numbered.user.id, zora.user.id], 'an id besides')
  await db.delete(users).where(eq(users.id, numbered.user.id))
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

t.test('among 30,000 people and workspaces, no search reads a whole table', async (t) => {
  await db.execute(sql`insert into users (name, email)
    select (array['Ana', 'Ben', 'José', 'Kaja', 'Uwe', 'Zoë'])[1 + n % 6] || ' ' || substr(md5((n % 5000)::text), 1, 6),
      md5((n * 7)::text) || '@example.com' from generate_series(1, 30000) n`)
  await db.execute(sql`insert into accounts (name, slug)
    select 'Place ' || md5(n::text), md5((n * 7)::text) from generate_series(1, 30000) n`)
  await db.execute(sql`insert into operator_log (operator_id, action, ip_address)
    select 1, 'users_searched', '' from generate_series(1, 30000)`)
  await db.execute(sql.raw('analyze users; analyze accounts; analyze operator_log'))
  const [rare, address] = ['c4ca42', '8f14e45fceea167a5a36dedd4bea2543@example.com']
  for (const q of ['', '5', 'a', 'ana', 'JOSÉ 1', `jose ${rare}`, rare, 'nobody at all', 'place 1', address])
    for (const before of [undefined, '15000'])
      for (const find of [findUsers, findAccounts, findLog]) {
        const [statement] = await statementsDuring(() => find(db, { q, ...(before && { before }) }))
        if (!statement) throw new Error('nothing was asked')
        const plan = await planOf(db.pool, statement)
        t.notMatch(plan, 'Seq Scan', `${find.name} ${q}`)
        if (find !== findUsers) continue
        if (q.includes(rare) || q === 'nobody at all') t.match(plan, /Bitmap Index Scan on users_words/, plan)
        if (q === address) t.match(plan, /Index Scan.*users_email/, plan)
      }
})
