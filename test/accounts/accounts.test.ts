import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import { freeSlug, slugify } from '../../features/accounts/slugs.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser, type Page } from '../helpers/browser.ts'
import { invite, sharedAcme, sharedPerson, signedUp } from '../helpers/people.ts'

t.test('the creator of an account owns it', async (t) => {
  const { db, browser } = await sharedPerson(t)
  const page = await browser.submit('POST', '/accounts', { name: 'Initech' })
  t.equal(page.url, '/initech')
  t.same(page.flash, { notice: 'Workspace created' })
  t.match(page.props, { account: { name: 'Initech', slug: 'initech' }, membership: { role: 'owner' } })
  t.match(await db.select().from(accounts).where(eq(accounts.slug, 'initech')), [{ personal: false }])
})

t.test('an invalid name creates no account', async (t) => {
  const { db, browser } = await sharedPerson(t)
  const wrong: [string | null, string][] = [
    ['', "can't be blank"],
    [null, "can't be blank"],
    ['\u200b\u3164', "can't be blank"],
    ['x'.repeat(61), 'is too long (maximum is 60 characters)'],
    ['\ud800', 'is invalid'],
  ]
  for (const [name, message] of wrong) {
    const page = await browser.submit('POST', '/accounts', { name })
    t.equal(page.component, 'accounts/new')
    t.same(page.props.errors, { name: [message] })
  }
  t.equal((await browser.submit('POST', '/accounts', { name: '👍'.repeat(60) })).component, 'accounts/show')
  t.equal((await db.select().from(accounts)).length, 2)
})

t.test('the overview has the account and the lists of the switcher, and more on request', async (t) => {
  const { app, db } = await sharedApp(t)
  const { browser, slug, user } = await signedUp(app, { name: 'Ana' })
  const other = await signedUp(app)
  const [account] = await db.select().from(accounts).where(eq(accounts.slug, slug))
  await db.insert(memberships).values({ accountId: account?.id ?? 0, userId: other.user.id, role: 'member' })

  const { page } = await browser.document(`/${slug}`)
  const names = Object.keys(page.props).sort().join(' ')
  t.equal(names, 'account accounts auth errors membership open_invitations picture')
  t.same(page.props.account, { id: account?.id, name: 'Ana', slug: 'ana', picture: null })
  t.same(page.props.membership, { role: 'owner', personal: true })
  t.same(Object.keys(page.props.auth.user), ['id', 'name', 'email', 'verified', 'created_at', 'updated_at'])
  t.equal(page.props.auth.user.id, user.id)
  t.same(page.sharedProps, ['errors', 'auth'])
  const { default: later } = page.deferredProps as { default: string[] }
  for (const name of ['figures', 'first_steps', 'latest_activities', 'members_count']) t.ok(later.includes(name), name)
  for (const [name, value] of Object.entries({ members_count: 2, personal_account: slug })) {
    const headers = { 'x-inertia-partial-component': 'accounts/show', 'x-inertia-partial-data': name }
    const part = (await browser.request('GET', `/${slug}`, { headers })).json()
    t.same(Object.keys(part.props), ['errors', 'auth', name])
    t.equal(part.props[name], value, 'on request')
    t.notOk('deferredProps' in part)
  }
})

t.test("the switcher's accounts are listed by name, until the browser has them", async (t) => {
  const { app } = await sharedApp(t)
  const { browser, slug } = await signedUp(app, { name: 'Ana' })
  await browser.submit('POST', '/accounts', { name: 'Aaa' })
  const { page } = await browser.document(`/${slug}`)
  t.same(page.props.accounts, [
    { name: 'Aaa', slug: 'aaa', picture: null },
    { name: 'Ana', slug: 'ana', picture: null },
  ])

  const [key = ''] = Object.keys(page.onceProps as object).filter((name) => name.startsWith('accounts:'))
  const headers = { 'x-inertia-except-once-props': key }
  const listAt = async (url: string) => (await browser.visit(url, headers)).props.accounts
  t.match((await browser.visit(`/${slug}`, headers)).onceProps, { [key]: { prop: 'accounts' } })
  t.equal(await listAt(`/${slug}`), undefined)
  t.equal(await listAt('/settings/sessions'), undefined, 'pages outside of an account know the same key')
  await browser.request('POST', '/accounts', { body: { name: 'Bbb' } })
  t.equal((await listAt('/bbb')).length, 3, 'a change is followed by the new list')
  t.equal(await listAt('/bbb'), undefined, 'once')
})

t.test('a user is a member of at most 100 accounts, even with concurrent requests', async (t) => {
  const { app, db, owner, membersNow } = await sharedAcme(t)
  const { browser, user, person } = await signedUp(app)
  const { link } = await invite(app, owner, '/acme', person.email)
  await db.execute(sql`
    with made as (
      insert into accounts (name, slug) select 'Account', 'account-' || n from generate_series(1, 97) n returning id
    )
    insert into memberships (account_id, user_id, role) select id, ${user.id}, 'member' from made`)

  const create = () => browser.submit('POST', '/accounts', { name: 'One more' })
  const accept = () => browser.submit('POST', `${link}/accept`)
  const isIn = ({ component }: Page) => component === 'accounts/show'
  await create()
  const created = await Promise.all([create(), create(), create()])
  t.same(created.map(isIn).sort(), [false, false, true], 'one takes the last place')
  const full = created.find((page) => !isIn(page))
  t.equal(full?.component, 'accounts/new')
  t.same(full?.props.errors, { name: ['you have 100 workspaces already'] })

  const refused = await accept()
  t.equal(refused.url, link)
  t.same(refused.flash, { alert: 'You are in 100 workspaces already' })
  await db.delete(accounts).where(eq(accounts.slug, 'account-1'))
  const pages = await Promise.all([accept(), create()])
  t.equal(pages.filter(isIn).length, 1)
  t.equal(await db.$count(memberships, eq(memberships.userId, user.id)), 100)

  await db.delete(accounts).where(eq(accounts.slug, 'account-2'))
  if (!isIn(pages[0])) t.ok(isIn(await accept()), 'the invitation stayed pending')
  t.ok((await membersNow()).some(({ userId }) => userId === user.id))
})

t.test('a visited account is the last-used one; a prefetch or a reload in the background is not a visit', async (t) => {
  const { db, browser, slug } = await sharedPerson(t)
  const lastUsed = async (url = '/') => (await browser.request('GET', url)).headers.location
  await browser.submit('POST', '/accounts', { name: 'Initech' })
  t.equal(await lastUsed(), '/initech')
  for (const headers of [{ purpose: 'prefetch' }, { 'x-unattended': 'true' }] as Record<string, string>[]) {
    await browser.request('GET', `/${slug}`, { headers })
    t.equal(await lastUsed('/dashboard'), '/initech')
  }

  const [before] = await db.select().from(users)
  await browser.visit(`/${slug}`)
  t.equal(await lastUsed(), `/${slug}`)
  t.equal(await lastUsed('/dashboard'), `/${slug}`)
  const [after] = await db.select().from(users)
  t.same(after?.updatedAt, before?.updatedAt, 'it is no change of the user')

  for (const page of ['settings', 'members', 'activity']) {
    await browser.visit(`/${slug}`)
    await browser.visit(`/initech/${page}`)
    t.equal(await lastUsed(), '/initech', page)
  }
})

t.test('after the last-used account comes the one joined first, and then the form for a new one', async (t) => {
  const { db, browser, slug } = await sharedPerson(t)
  for (const name of ['Aaa', 'Initech']) await browser.submit('POST', '/accounts', { name })
  await db.delete(accounts).where(eq(accounts.slug, 'initech'))
  t.equal((await browser.visit('/')).url, `/${slug}`)
  await db.delete(memberships)
  const page = await browser.visit('/')
  t.same([page.url, page.component], ['/accounts/new', 'accounts/new'])
  t.same(page.props.accounts, [])
})

t.test('an impossible or reserved slug, or one that cannot be decoded, is 404 for everybody', async (t) => {
  const { app, browser } = await sharedPerson(t)
  const page = (await app.inject('/404.html')).body
  const short = '/x.php /a/b/c /wp-admin/setup.php /A /ab /.env /a_b /admin /% /%00 /acme%2Fx'.split(' ')
  const undecodable = ['/%E0%A4%A', '/sign_in%00', '/sessions/%', '/%ff%fe']
  for (const path of [...short, ...undecodable, `/${'a'.repeat(41)}`, `/${'a'.repeat(5000)}`]) {
    for (const visitor of [browser, new Browser(app)]) {
      const response = await visitor.send('GET', path)
      t.equal(response.statusCode, 404, path)
      t.equal(response.body, page, path)
      t.match(response.headers['content-type'], 'text/html; charset=utf-8')
      t.ok(response.headers['content-security-policy'], path)
    }
  }
})

t.test('a name becomes a slug', async (t) => {
  const slugs = {
    'Acme Inc.': 'acme-inc',
    "Admin's account": 'admin-s-account',
    ' Ærøskøbing & Söhne ': 'aeroskobing-soehne',
    x: 'x-account',
    日本: 'account',
    '🎉': 'account',
    '': 'account',
    '--a---b--': 'a-b',
  }
  for (const [name, slug] of Object.entries(slugs)) t.equal(slugify(name), slug, name)
  t.equal(slugify(`${'a'.repeat(39)} b`), 'a'.repeat(39), 'no dash is left at the cut')
  t.equal(slugify('a'.repeat(60)).length, 40)
})

t.test('a taken or reserved slug gets a number, and still fits', async (t) => {
  const { app, db } = await sharedApp(t)
  const long = 'a'.repeat(40)
  await db.insert(accounts).values(['acme', 'acme-2', 'acme-4', long].map((slug) => ({ name: slug, slug })))
  await db.transaction(async (tx) => {
    t.equal(await freeSlug(app, tx, 'Acme', 0), 'acme-3')
    t.equal(await freeSlug(app, tx, 'Settings', 0), 'settings-2')
    t.equal(await freeSlug(app, tx, long, 0), `${'a'.repeat(38)}-2`)
  })
})
