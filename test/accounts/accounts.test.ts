import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { accounts, invitations, memberships, users } from '../../drizzle/schema.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser, type Page } from '../helpers/browser.ts'
import { sharedAcme, sharedPerson, signedUp, tokenOf } from '../helpers/people.ts'

t.test('guests are redirected to sign-in', async (t) => {
  const { app } = await sharedApp(t)
  for (const path of ['/accounts/new', '/acme', '/dashboard']) {
    const response = await new Browser(app).request('GET', path)
    t.equal(response.statusCode, 302, path)
    t.equal(response.headers.location, '/sign_in', path)
    t.equal(response.headers['cache-control'], 'no-cache')
    t.equal(response.headers['content-type'], 'text/html; charset=utf-8')
  }
})

t.test('a guest sees the home page', async (t) => {
  const { app } = await sharedApp(t)
  t.equal((await new Browser(app).document('/')).page.component, 'home/index')
})

t.test('the creator of an account owns it', async (t) => {
  const { db, browser, user } = await sharedPerson(t)
  const page = await browser.submit('POST', '/accounts', { name: 'Initech' })

  t.equal(page.url, '/initech')
  t.same(page.flash, { notice: 'Workspace created' })
  t.match(page.props, { account: { name: 'Initech', slug: 'initech' }, membership: { role: 'owner' } })
  const [account] = await db.select().from(accounts).where(eq(accounts.slug, 'initech'))
  t.equal(account?.personal, false)
  t.match(
    await db
      .select()
      .from(memberships)
      .where(eq(memberships.accountId, account?.id ?? 0)),
    [{ userId: user.id }],
  )
})

t.test('an invalid name creates no account', async (t) => {
  const { db, browser } = await sharedPerson(t)
  const wrong = [
    ['', "can't be blank"],
    [' \u00a0', "can't be blank"],
    ['\u200b\u3164', "can't be blank"],
    ['x'.repeat(61), 'is too long (maximum is 60 characters)'],
    ['a\0b', 'is invalid'],
    ['\ud800', 'is invalid'],
  ]
  for (const [name, message] of wrong) {
    const page = await browser.submit('POST', '/accounts', { name })
    t.equal(page.component, 'accounts/new')
    t.same(page.props.errors, { name: [message] })
  }
  t.same((await browser.submit('POST', '/accounts', { name: null })).props.errors, { name: ["can't be blank"] })
  t.equal((await browser.submit('POST', '/accounts', { name: '👍'.repeat(60) })).component, 'accounts/show')
  t.equal((await db.select().from(accounts)).length, 2)
})

t.test('the overview', async (t) => {
  const { app, db } = await sharedApp(t)
  const { browser, slug, user } = await signedUp(app, { name: 'Ana' })
  const other = await signedUp(app)
  const [account] = await db.select().from(accounts).where(eq(accounts.slug, slug))
  await db.insert(memberships).values({ accountId: account?.id ?? 0, userId: other.user.id, role: 'member' })

  await t.test('has the account, and the lists of the switcher', async (t) => {
    const { page } = await browser.document(`/${slug}`)
    t.same(Object.keys(page.props).sort(), [
      'account',
      'accounts',
      'auth',
      'errors',
      'membership',
      'open_invitations',
      'picture',
    ])
    t.same(page.props.account, { id: account?.id, name: 'Ana', slug: 'ana', picture: null })
    t.same(page.props.membership, { role: 'owner' })
    t.same(Object.keys(page.props.auth.user), ['id', 'name', 'email', 'verified', 'created_at', 'updated_at'])
    t.equal(page.props.auth.user.id, user.id)
    t.same(page.sharedProps, ['errors', 'auth'])
    t.same(page.deferredProps, { default: ['members_count'] })
  })
  await t.test('counts the members on request', async (t) => {
    const response = await browser.request('GET', `/${slug}`, {
      headers: { 'x-inertia-partial-component': 'accounts/show', 'x-inertia-partial-data': 'members_count' },
    })
    t.same(Object.keys(response.json().props), ['errors', 'auth', 'members_count'])
    t.equal(response.json().props.members_count, 2)
    t.notOk('deferredProps' in response.json())
  })
  await t.test('names the personal account on request', async (t) => {
    const response = await browser.request('GET', `/${slug}`, {
      headers: { 'x-inertia-partial-component': 'accounts/show', 'x-inertia-partial-data': 'personal_account' },
    })
    t.equal(response.json().props.personal_account, slug)
  })
  await t.test("lists the switcher's accounts by name, until the browser has them", async (t) => {
    await browser.submit('POST', '/accounts', { name: 'Aaa' })
    const { page } = await browser.document(`/${slug}`)
    t.same(page.props.accounts, [
      { name: 'Aaa', slug: 'aaa', picture: null },
      { name: 'Ana', slug: 'ana', picture: null },
    ])

    const [key = ''] = Object.keys(page.onceProps as object).filter((name) => name.startsWith('accounts:'))
    const headers = { 'x-inertia-except-once-props': key }
    const again = (await browser.request('GET', `/${slug}`, { headers })).json()
    t.notOk('accounts' in again.props)
    t.match(again.onceProps, { [key]: { prop: 'accounts' } })
    const settings = (await browser.request('GET', '/settings/sessions', { headers })).json()
    t.notOk('accounts' in settings.props, 'pages outside of an account know the same key')

    await browser.request('POST', '/accounts', { body: { name: 'Bbb' } })
    const changed = (await browser.request('GET', '/bbb', { headers })).json()
    t.equal(changed.props.accounts.length, 3, 'a change is followed by the new list')
    t.notOk('accounts' in (await browser.request('GET', '/bbb', { headers })).json().props, 'once')
  })
})

t.test('a user is a member of at most 100 accounts, even with concurrent requests', async (t) => {
  const { app, db, owner, account } = await sharedAcme(t)
  const ana = await signedUp(app)
  await owner.browser.submit('POST', '/acme/invitations', { email: ana.person.email, role: 'member' })
  const [invitation] = await db.select().from(invitations)
  const token = await tokenOf(app, invitation?.id ?? 0)
  const count = async () => (await db.select().from(memberships).where(eq(memberships.userId, ana.user.id))).length
  await db.execute(sql`
    with made as (
      insert into accounts (name, slug) select 'Account', 'account-' || n from generate_series(1, 97) n returning id
    )
    insert into memberships (account_id, user_id, role) select id, ${ana.user.id}, 'member' from made`)

  const create = () => ana.browser.submit('POST', '/accounts', { name: 'One more' })
  const accept = () => ana.browser.submit('POST', `/invitations/${token}/accept`)
  const isIn = ({ component }: Page) => component === 'accounts/show'
  await create()
  const created = await Promise.all([create(), create(), create()])
  t.same(created.map(isIn).sort(), [false, false, true], 'one takes the last place')
  const full = created.find((page) => !isIn(page))
  t.equal(full?.component, 'accounts/new')
  t.same(full?.props.errors, { name: ['you have 100 workspaces already'] })

  const refused = await accept()
  t.equal(refused.url, `/invitations/${token}`)
  t.same(refused.flash, { alert: 'You are in 100 workspaces already' })
  await db.delete(accounts).where(eq(accounts.slug, 'account-1'))
  const pages = await Promise.all([accept(), create()])
  t.equal(pages.filter(isIn).length, 1)
  t.equal(await count(), 100)

  await db.delete(accounts).where(eq(accounts.slug, 'account-2'))
  if (!isIn(pages[0])) t.ok(isIn(await accept()), 'the invitation stayed pending')
  t.equal(await isMember(), true)

  async function isMember() {
    const rows = await db.select().from(memberships).where(eq(memberships.accountId, account.id))
    return rows.some(({ userId }) => userId === ana.user.id)
  }
})

t.test('a visited account is the last-used one; a prefetch or a reload in the background is not a visit', async (t) => {
  const { db, browser, slug } = await sharedPerson(t)
  await browser.submit('POST', '/accounts', { name: 'Initech' })
  t.equal((await browser.request('GET', '/')).headers.location, '/initech')

  for (const header of ['purpose: prefetch', 'x-unattended: true']) {
    await browser.request('GET', `/${slug}`, { headers: Object.fromEntries([header.split(': ')]) })
    t.equal((await browser.request('GET', '/dashboard')).headers.location, '/initech')
  }

  const [before] = await db.select().from(users)
  await browser.visit(`/${slug}`)
  t.equal((await browser.request('GET', '/')).headers.location, `/${slug}`)
  t.equal((await browser.request('GET', '/dashboard')).headers.location, `/${slug}`)
  const [after] = await db.select().from(users)
  t.same(after?.updatedAt, before?.updatedAt, 'it is no change of the user')

  for (const page of ['settings', 'members', 'activity']) {
    await browser.visit(`/${slug}`)
    await browser.visit(`/initech/${page}`)
    t.equal((await browser.request('GET', '/')).headers.location, '/initech', page)
  }
})

t.test('after the last-used account comes the one joined first, and then the form for a new one', async (t) => {
  const { db, browser, slug } = await sharedPerson(t)
  for (const name of ['Aaa', 'Initech']) await browser.submit('POST', '/accounts', { name })
  await db.delete(accounts).where(eq(accounts.slug, 'initech'))
  t.equal((await browser.visit('/')).url, `/${slug}`)

  await db.delete(memberships)
  const page = await browser.visit('/')
  t.equal(page.url, '/accounts/new')
  t.equal(page.component, 'accounts/new')
  t.same(page.props.accounts, [])
})

t.test('missing accounts and those of others give the same 404', async (t) => {
  const { app, slug } = await sharedPerson(t)
  const { browser } = await signedUp(app)
  const foreign = await browser.send('GET', `/${slug}`)
  t.equal(foreign.statusCode, 404)
  t.equal(foreign.headers['cache-control'], 'no-cache')
  for (const request of [
    browser.send('GET', '/nothing'),
    browser.request('GET', `/${slug}`),
    browser.request('GET', '/nothing'),
  ]) {
    const response = await request
    t.equal(response.statusCode, 404)
    t.equal(response.body, foreign.body)
    t.equal(response.headers['x-inertia'], undefined)
  }
})

t.test('an impossible slug is 404 for everybody', async (t) => {
  const { app, browser } = await sharedPerson(t)
  const page = (await app.inject('/404.html')).body
  const paths = [
    '/x.php',
    '/a/b/c',
    '/wp-admin/setup.php',
    '/A',
    '/ab',
    '/.env',
    `/${'a'.repeat(41)}`,
    `/${'a'.repeat(400)}`,
    '/a_b',
    '/%',
    '/%00',
    '/acme%2Fx',
  ]
  for (const path of paths) {
    for (const visitor of [browser, new Browser(app)]) {
      const response = await visitor.send('GET', path)
      t.equal(response.statusCode, 404, path)
      t.equal(response.body, page, path)
      t.match(response.headers['content-type'], 'text/html; charset=utf-8')
      t.ok(response.headers['content-security-policy'], path)
    }
  }
})
