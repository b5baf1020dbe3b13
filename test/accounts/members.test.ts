import { sql } from 'drizzle-orm'
import t from 'tap'
import { invitations, memberships, type Role, users } from '../../drizzle/schema.ts'
import { accountRoute } from '../../features/accounts/member.ts'
import { collectingRoutes, fill } from '../fuzz/routes.ts'
import { sharedApp, startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { sharedAcme, signedUp, startAcme } from '../helpers/people.ts'

const denied = "You don't have permission to do that"
const lastOwner = 'A workspace needs at least one owner'

t.test('the page lists members in the order they joined, and invitations for managers only', async (t) => {
  const { owner, join } = await sharedAcme(t)
  const admin = await join('admin')
  const member = await join('member')
  await owner.browser.submit('POST', '/acme/invitations', { email: 'new@example.com', role: 'member' })

  const page = await owner.browser.visit('/acme/members')
  t.equal(page.component, 'accounts/members')
  t.same(
    page.props.members.map(({ user_id, role }: { user_id: number; role: string }) => [user_id, role]),
    [
      [owner.user.id, 'owner'],
      [admin.user.id, 'admin'],
      [member.user.id, 'member'],
    ],
  )
  t.same(Object.keys(page.props.members[0]), [
    'id',
    'user_id',
    'name',
    'email',
    'picture',
    'role',
    'joined_at',
    'second_factor',
  ])
  t.match(page.props.members[0].joined_at, /\.\d{3}Z$/)
  t.equal(page.props.can_manage, true)
  t.match(page.props.invitations, [{ email: 'new@example.com', role: 'member' }])
  t.same(Object.keys(page.props.invitations[0]), ['id', 'email', 'role', 'created_at', 'expires_at'])

  const asMember = await member.browser.visit('/acme/members')
  t.equal(asMember.props.can_manage, false)
  t.same(asMember.props.invitations, [])
  t.equal(asMember.props.members.length, 3)
})

t.test('many members are paged', async (t) => {
  const { db, account, owner } = await sharedAcme(t)
  await db.execute(sql`
    with people as (
      insert into users (name, email, password_digest)
      select 'Person ' || n, 'person-' || n || '@example.com', '' from generate_series(1, 119) n returning id
    )
    insert into memberships (account_id, user_id, role) select ${account.id}, id, 'member' from people order by id`)

  const first = await owner.browser.request('GET', '/acme/members')
  const page = first.json()
  t.equal(page.props.members.length, 50)
  t.same(page.mergeProps, ['members', 'invitations'])
  t.same(page.matchPropsOn, ['members.id', 'invitations.id'])
  const { members: scrolling } = page.scrollProps
  t.match(scrolling, { pageName: 'after', currentPage: null, previousPage: null, reset: false })
  t.equal(scrolling.nextPage, page.props.members.at(-1).id)

  const seen = new Set<number>(page.props.members.map(({ id }: { id: number }) => id))
  let next = scrolling.nextPage
  while (next) {
    const headers = { 'x-inertia-partial-component': 'accounts/members', 'x-inertia-partial-data': 'members' }
    const more = (await owner.browser.request('GET', `/acme/members?after=${next}`, { headers })).json()
    t.same(Object.keys(more.props).sort(), ['auth', 'can_manage', 'errors', 'members', 'membership'])
    for (const { id } of more.props.members) seen.add(id)
    next = more.scrollProps.members.nextPage
  }
  t.equal(seen.size, 120)
  t.equal((await owner.browser.request('GET', '/acme/members?after=x')).statusCode, 400)
})

t.test('changing roles', async (t) => {
  const { owner, join, membersNow } = await sharedAcme(t)
  const member = await join('member')
  const change = (browser: typeof owner.browser, id: number, role: unknown, referer?: string) =>
    browser.submit('PATCH', `/acme/members/${id}`, { role }, referer ? { referer } : undefined)
  const roleNow = async (id: number) => (await membersNow()).find((membership) => membership.id === id)?.role

  await t.test('is announced, and stored', async (t) => {
    const page = await change(owner.browser, member.membershipId, 'admin')
    t.equal(page.url, '/acme/members')
    t.same(page.flash, { notice: 'Role updated' })
    t.equal(await roleNow(member.membershipId), 'admin')
    await owner.browser.submit('PUT', `/acme/members/${member.membershipId}`, { role: 'member' })
    t.equal(await roleNow(member.membershipId), 'member', 'PUT does what PATCH does')
  })
  await t.test('knows three roles', async (t) => {
    for (const role of ['king', '', null, undefined]) {
      t.same((await change(owner.browser, member.membershipId, role)).flash, {
        alert: 'Role is not included in the list',
      })
    }
  })
  await t.test('leaves an owner', async (t) => {
    t.same((await change(owner.browser, owner.membershipId, 'admin')).flash, { alert: lastOwner })
    t.equal(await roleNow(owner.membershipId), 'owner')
    t.same((await change(owner.browser, owner.membershipId, 'owner')).flash, { notice: 'Role updated' })
  })
  await t.test('redirects people without permission back, or to the account', async (t) => {
    t.equal((await change(member.browser, owner.membershipId, 'member')).url, '/acme')
    const page = await change(member.browser, owner.membershipId, 'member', 'http://localhost:3000/acme/members')
    t.equal(page.url, '/acme/members')
    t.same(page.flash, { alert: denied })
  })
})

t.test('every role may do exactly what the permission table says', async (t) => {
  const { owner, join, membersNow } = await sharedAcme(t)
  await join('owner') // so that the last-owner rule does not interfere
  const people = { owner, admin: await join('admin'), member: await join('member') }
  const outcomes = async (
    actor: Role,
    action: (browser: typeof owner.browser, target: number) => Promise<{ flash?: object }>,
    role: Role,
  ) => {
    const target = await join(role)
    const page = await action(people[actor].browser, target.membershipId)
    return JSON.stringify(page.flash).includes(denied) ? 'denied' : 'done'
  }
  const actions = {
    'make owner': (browser: typeof owner.browser, id: number) =>
      browser.submit('PATCH', `/acme/members/${id}`, { role: 'owner' }),
    'make admin': (browser: typeof owner.browser, id: number) =>
      browser.submit('PATCH', `/acme/members/${id}`, { role: 'admin' }),
    'make member': (browser: typeof owner.browser, id: number) =>
      browser.submit('PATCH', `/acme/members/${id}`, { role: 'member' }),
    remove: (browser: typeof owner.browser, id: number) => browser.submit('DELETE', `/acme/members/${id}`),
  }
  for (const actor of ['owner', 'admin', 'member'] as const) {
    for (const [name, action] of Object.entries(actions)) {
      for (const target of ['owner', 'admin', 'member'] as const) {
        const touchesOwners = target === 'owner' || name === 'make owner'
        const expected = actor === 'owner' || (actor === 'admin' && !touchesOwners) ? 'done' : 'denied'
        t.equal(await outcomes(actor, action, target), expected, `${actor}: ${name}, on ${target}`)
      }
    }
  }
  t.ok((await membersNow()).length > 30)

  for (const actor of ['owner', 'admin', 'member'] as const) {
    const { browser } = people[actor]
    const manages = actor !== 'member'
    const invited = await browser.submit('POST', '/acme/invitations', {
      email: `${actor}@invited.example`,
      role: 'member',
    })
    t.equal(invited.flash?.alert === denied, !manages, `${actor}: invite`)
    const renamed = await browser.submit('PATCH', '/acme/settings', { name: `Acme of ${actor}` })
    t.equal(renamed.flash?.alert === denied, !manages, `${actor}: rename`)
    t.equal((await browser.visit('/acme/settings')).props.can_manage, manages, `${actor}: settings`)
    const deleted = await browser.submit('DELETE', '/acme', { password_challenge: 'wrong' })
    t.equal(deleted.flash?.alert === denied, actor !== 'owner', `${actor}: delete the account`)
  }
  const left = await people.admin.browser.submit('DELETE', `/acme/members/${people.admin.membershipId}`)
  t.same(left.flash, { notice: 'You left Acme of admin' }, 'everybody may leave')
})

t.test('leaving and removing', async (t) => {
  const { owner, join, membersNow } = await sharedAcme(t)
  const member = await join('member')
  await member.browser.visit('/acme')

  const page = await member.browser.submit('DELETE', `/acme/members/${member.membershipId}`)
  t.equal(page.url, `/${member.slug}`)
  t.same(page.flash, { notice: 'You left Acme' })
  t.equal((await member.browser.request('GET', '/acme')).statusCode, 404)

  const other = await join('member')
  const removed = await owner.browser.submit('DELETE', `/acme/members/${other.membershipId}`)
  t.equal(removed.url, '/acme/members')
  t.same(removed.flash, { notice: 'Member removed' })

  t.same((await owner.browser.submit('DELETE', `/acme/members/${owner.membershipId}`)).flash, { alert: lastOwner })
  const second = await join('owner')
  t.same((await second.browser.submit('DELETE', `/acme/members/${owner.membershipId}`)).flash, {
    notice: 'Member removed',
  })
  t.match(await membersNow(), [{ userId: second.user.id, role: 'owner' }])
})

t.test('when two owners demote each other or leave at once, one owner remains', async (t) => {
  const { app } = await sharedApp(t)
  for (let round = 0; round < 5; round++) {
    const { owner, join, membersNow } = round === 0 ? await startAcme(app) : await another()
    const second = await join('owner')
    const [slug, leave] = ['acme', round % 2 === 0]
    await Promise.all([
      leave
        ? owner.browser.request('DELETE', `/${slug}/members/${owner.membershipId}`, { body: {} })
        : owner.browser.request('PATCH', `/${slug}/members/${second.membershipId}`, { body: { role: 'member' } }),
      leave
        ? second.browser.request('DELETE', `/${slug}/members/${second.membershipId}`, { body: {} })
        : second.browser.request('PATCH', `/${slug}/members/${owner.membershipId}`, { body: { role: 'member' } }),
    ])
    t.equal((await membersNow()).filter(({ role }) => role === 'owner').length, 1)
  }

  async function another() {
    await app.db.execute(sql`delete from accounts where slug = 'acme'`)
    return startAcme(app)
  }
})

t.test('the database rejects a second membership and an unknown role', async (t) => {
  const { db, account, owner } = await sharedAcme(t)
  const values = { accountId: account.id, userId: owner.user.id, role: 'member' as const }
  await t.rejects(db.insert(memberships).values(values))
  await t.rejects(db.execute(sql`update memberships set role = 'king'`))
  t.equal((await db.select().from(users)).length, 1)
})

t.test('outsiders get a 404 for every request to an account', async (t) => {
  const { routes, frontend } = collectingRoutes()
  const { app, db } = await startApp(t, {}, { frontend })
  const { owner, join } = await startAcme(app)
  const member = await join('member')
  await owner.browser.submit('POST', '/acme/invitations', { email: 'new@example.com', role: 'member' })
  await owner.browser.submit('POST', '/acme/invitation_link')
  const [invitation] = (await owner.browser.visit('/acme/members')).props.invitations
  const stranger = await signedUp(app)
  const below = routes.filter(({ method, url }) => url.startsWith(accountRoute) && method !== 'HEAD')
  const file = { method: 'GET', url: `${accountRoute}/activity.csv` }
  t.ok(below.length >= 18)
  const tables = ['accounts', 'memberships', 'invitations', 'invitation_links', 'users']
  const snapshot = () => Promise.all(tables.map((table) => db.execute(sql.raw(`select * from ${table} order by 1`))))
  const before = await snapshot()

  const bodies = new Set<string>()
  for (const { method: any, url } of [...below, file]) {
    const method = any as 'GET' | 'POST'
    const id = String(url.includes('/members/') ? member.membershipId : invitation.id)
    const pathIn = (slug: string) => fill(url, { slug, id })
    const sent = method === 'GET' ? {} : { body: { name: 'Stolen', role: 'owner', email: 'thief@example.com' } }
    for (const slug of ['acme', 'nothing']) {
      const response = await stranger.browser.request(method, pathIn(slug), sent)
      t.equal(response.statusCode, 404, `${method} ${pathIn(slug)}`)
      bodies.add(response.body)
    }
    // Ids of another account, through one's own account.
    if (url.includes(':id')) {
      const through = await stranger.browser.request(method, pathIn(stranger.slug), sent)
      t.equal(through.statusCode, 404, `${method} through the own account`)
      bodies.add(through.body)
    }
    const guest = await Browser.open(app)
    const led = await guest.request(method, pathIn('acme'), sent)
    t.equal(led.headers.location, '/sign_in', `${method} as a guest`)
  }
  t.equal(bodies.size, 1, 'all 404s are the same bytes')
  t.same(await snapshot(), before)
  for (const id of ['abc', '0', '99999999999999999999', '-1', '1.5', '9223372036854775808']) {
    t.equal(
      (await owner.browser.request('PATCH', `/acme/members/${id}`, { body: { role: 'member' } })).statusCode,
      404,
      id,
    )
  }
})

t.test('an owner transfers the ownership to another member, in one step', async (t) => {
  const { owner, join, membersNow } = await sharedAcme(t)
  const admin = await join('admin')
  const member = await join('member')
  const transfer = (from: typeof owner, to: typeof member) =>
    from.browser.submit('POST', `/acme/members/${to.membershipId}/ownership`)
  const rolesNow = async () => (await membersNow()).map(({ role }) => role)

  t.same((await transfer(admin, member)).flash, { alert: denied })
  t.same((await transfer(owner, owner)).flash, { alert: 'You own it already' })
  t.same(await rolesNow(), ['owner', 'admin', 'member'])

  const page = await transfer(owner, member)
  t.equal(page.url, '/acme/members')
  t.same(page.flash, { notice: 'Ownership transferred' })
  t.same(await rolesNow(), ['admin', 'admin', 'owner'])
  t.same((await transfer(owner, admin)).flash, { alert: denied }, 'it is theirs no more')

  const both = await Promise.all([transfer(member, admin), transfer(member, owner)])
  t.same(both.map(({ flash }) => Object.keys(flash ?? {})[0]).sort(), ['alert', 'notice'], 'to one of two at once')
  t.equal((await rolesNow()).filter((role) => role === 'owner').length, 1)
})

t.test('many invitations are paged, newest first, beside the members', async (t) => {
  const { db, account, owner, join } = await sharedAcme(t)
  const invited = await db
    .insert(invitations)
    .values(
      Array.from({ length: 120 }, (_, index) => ({
        accountId: account.id,
        email: `guest-${index}@example.com`,
        role: 'member' as const,
        expiresAt: new Date(),
      })),
    )
    .returning({ id: invitations.id })

  const page = await owner.browser.visit('/acme/members')
  t.same(page.mergeProps, ['members', 'invitations'])
  t.same(page.matchPropsOn, ['members.id', 'invitations.id'])
  const seen = page.props.invitations.map(({ id }: { id: number }) => id)
  t.equal(seen.length, 50)
  let { invitations: position } = page.scrollProps as { invitations: Record<string, unknown> }
  t.match(position, { pageName: 'invited_before', currentPage: null, previousPage: null, nextPage: seen.at(-1) })
  while (position.nextPage) {
    const headers = { 'x-inertia-partial-component': 'accounts/members', 'x-inertia-partial-data': 'invitations' }
    const url = `/acme/members?invited_before=${position.nextPage}`
    const more = (await owner.browser.request('GET', url, { headers })).json()
    t.same(Object.keys(more.props).sort(), ['auth', 'can_manage', 'errors', 'invitations', 'membership'])
    for (const { id } of more.props.invitations) seen.push(id)
    position = more.scrollProps.invitations
  }
  t.same(seen, invited.map(({ id }) => id).reverse())

  const searched = await owner.browser.visit('/acme/members?q=nobody')
  t.equal(searched.props.members.length, 0)
  t.equal(searched.props.invitations.length, 50, 'a search is about members')
  t.same((await (await join('member')).browser.visit('/acme/members')).props.invitations, [])
  t.equal((await owner.browser.request('GET', '/acme/members?invited_before=x')).statusCode, 400)
})
