import { sql } from 'drizzle-orm'
import t from 'tap'
import { memberships, type Role } from '../../drizzle/schema.ts'
import { accountRoute } from '../../features/accounts/member.ts'
import { collectingRoutes, fill } from '../fuzz/routes.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { challenge, sharedAcme, signedUp, startAcme } from '../helpers/people.ts'
import { snapshot } from '../helpers/records.ts'

const denied = "You don't have permission to do that"
const lastOwner = 'A workspace needs at least one owner'
const invitee = { email: 'new@example.com', role: 'member' }

t.test('the page lists members in the order they joined, and invitations for managers only', async (t) => {
  const { owner, join, membersNow } = await sharedAcme(t)
  const admin = await join('admin')
  const member = await join('member')
  await owner.browser.submit('POST', '/acme/invitations', invitee)

  const { component, props } = await owner.browser.visit('/acme/members')
  t.equal(component, 'accounts/members')
  const listed = props.members.map(({ user_id, role }: { user_id: number; role: string }) => `${role} ${user_id}`)
  t.same(listed, [`owner ${owner.user.id}`, `admin ${admin.user.id}`, `member ${member.user.id}`])
  const [first] = props.members
  const keys = 'id user_id name email picture role joined_at second_factor last_seen_at outside'
  t.equal(Object.keys(first).join(' '), keys)
  t.equal(first.joined_at, (await membersNow())[0]?.createdAt.toISOString())
  t.equal(props.can_manage, true)
  t.match(props.invitations, [invitee])
  const shown = ['id', 'email', 'role', 'created_at', 'expires_at', 'inviter_name']
  t.same(Object.keys(props.invitations[0]), shown)

  const asMember = (await member.browser.visit('/acme/members')).props
  t.equal(asMember.can_manage, false)
  t.same(asMember.invitations, [])
  t.equal(asMember.members.length, 3)
  const searched = (await owner.browser.visit('/acme/members?q=nobody')).props
  t.same(searched.members, [])
  t.same(searched.invitations, [])
})

t.test('a role is changed to one of three, and an owner remains', async (t) => {
  const { owner, join, membersNow } = await sharedAcme(t)
  const member = await join('member')
  const change = ({ browser }: { browser: Browser }, id: number, role: unknown, headers?: Record<string, string>) =>
    browser.submit('PATCH', `/acme/members/${id}`, { role }, headers)
  const rolesNow = async () => (await membersNow()).map(({ role }) => role)

  const page = await change(owner, member.membershipId, 'admin')
  t.equal(page.url, '/acme/members')
  t.same(page.flash, { notice: 'Role updated' })
  t.same(await rolesNow(), ['owner', 'admin'])
  await owner.browser.submit('PUT', `/acme/members/${member.membershipId}`, { role: 'member' })
  t.same(await rolesNow(), ['owner', 'member'], 'PUT does what PATCH does')

  const unknown = { alert: 'Role is not included in the list' }
  for (const role of ['king', '', null, undefined])
    t.same((await change(owner, member.membershipId, role)).flash, unknown)
  t.same((await change(owner, owner.membershipId, 'admin')).flash, { alert: lastOwner })
  t.same((await change(owner, owner.membershipId, 'owner')).flash, { notice: 'Role updated' })
  t.same(await rolesNow(), ['owner', 'member'])

  for (const elsewhere of ['', 'https://evil.example/'])
    t.equal((await change(member, owner.membershipId, 'member', { referer: elsewhere })).url, '/acme')
  const referer = 'http://localhost:3000/acme/members'
  const refused = await change(member, owner.membershipId, 'member', { referer })
  t.equal(refused.url, '/acme/members', 'people without permission are redirected back, or to the account')
  t.same(refused.flash, { alert: denied })
})

t.test('every role changes and removes exactly those members whom the table of rights says', async (t) => {
  const { owner, join, membersNow } = await sharedAcme(t)
  await join('owner') // so that the last-owner rule does not interfere
  const people = { owner, admin: await join('admin'), member: await join('member') }
  const roles = ['owner', 'admin', 'member'] as const
  const isDenied = ({ flash }: { flash?: { alert?: string } }) => flash?.alert === denied
  for (const actor of roles) {
    const { browser } = people[actor]
    for (const target of roles) {
      for (const role of [...roles, undefined] as (Role | undefined)[]) {
        const { membershipId } = await join(target)
        const path = `/acme/members/${membershipId}`
        const page = await (role
          ? browser.submit('PATCH', path, { role, ...challenge })
          : browser.submit('DELETE', path, challenge))
        const touchesOwners = target === 'owner' || role === 'owner'
        const allowed = actor === 'owner' || (actor === 'admin' && !touchesOwners)
        const action = `${actor}: ${role ? `make ${role}` : 'remove'}, on ${target}`
        t.equal(isDenied(page), !allowed, action)
        const membership = (await membersNow()).find(({ id }) => id === membershipId)
        t.equal(membership?.role, allowed ? role : target, action)
      }
    }
    t.equal((await browser.visit('/acme/settings')).props.can_manage, actor !== 'member', `${actor}: settings`)
  }
  const left = await people.admin.browser.submit('DELETE', `/acme/members/${people.admin.membershipId}`)
  t.same(left.flash, { notice: 'You left Acme' }, 'everybody may leave')
})

t.test('leaving and removing', async (t) => {
  const { owner, join, membersNow } = await sharedAcme(t)
  const remove = ({ browser }: { browser: Browser }, { membershipId }: { membershipId: number }) =>
    browser.submit('DELETE', `/acme/members/${membershipId}`, challenge)
  const member = await join('member')
  await member.browser.visit('/acme')
  const left = await remove(member, member)
  t.equal(left.url, `/${member.slug}`)
  t.same(left.flash, { notice: 'You left Acme' })
  t.equal((await member.browser.request('GET', '/acme')).statusCode, 404)

  const removed = await remove(owner, await join('member'))
  t.equal(removed.url, '/acme/members')
  t.same(removed.flash, { notice: 'Member removed' })

  t.same((await remove(owner, owner)).flash, { alert: lastOwner })
  const second = await join('owner')
  t.same((await remove(second, owner)).flash, { notice: 'Member removed' })
  const owners = (await membersNow()).map(({ userId }) => userId)
  t.same(owners, [second.user.id])
})

t.test('when two owners demote each other or leave at once, one owner remains', async (t) => {
  for (let round = 0; round < 5; round++) {
    await t.test(`round ${round}`, async (t) => {
      const { owner, join, membersNow } = await sharedAcme(t)
      const second = await join('owner')
      const leave = (who: typeof second) => who.browser.request('DELETE', `/acme/members/${who.membershipId}`)
      const demote = (who: typeof second, whom: typeof second) =>
        who.browser.request('PATCH', `/acme/members/${whom.membershipId}`, { body: { role: 'member', ...challenge } })
      await Promise.all(round % 2 ? [demote(owner, second), demote(second, owner)] : [leave(owner), leave(second)])
      t.equal((await membersNow()).filter(({ role }) => role === 'owner').length, 1)
    })
  }
})

t.test('the database rejects a second membership and an unknown role', async (t) => {
  const { db, account, owner } = await sharedAcme(t)
  const values = { accountId: account.id, userId: owner.user.id, role: 'member' as const }
  await t.rejects(db.insert(memberships).values(values))
  await t.rejects(db.execute(sql`update memberships set role = 'king'`))
})

t.test('outsiders get the same 404 for every request to an account, be it missing or foreign', async (t) => {
  const { routes, frontend } = collectingRoutes()
  const { app, db } = await startApp(t, {}, { frontend })
  const { owner, join } = await startAcme(app)
  const member = await join('member')
  await owner.browser.submit('POST', '/acme/invitations', invitee)
  const [invitation] = (await owner.browser.visit('/acme/members')).props.invitations
  const stranger = await signedUp(app)
  const below = routes.filter(({ method, url }) => url.startsWith(accountRoute) && method !== 'HEAD')
  const file = { method: 'GET', url: `${accountRoute}/activity.csv` }
  t.ok(below.length >= 15, String(below.length))
  const everything = () => snapshot(db, 'accounts', 'memberships', 'invitations', 'users')
  const before = await everything()

  const bodies = new Set<string>()
  for (const { method: any, url } of [...below, file]) {
    const method = any as 'GET' | 'POST'
    const id = String(url.includes('/members/') ? member.membershipId : invitation.id)
    const pathIn = (slug: string) => fill(url, { slug, id })
    const sent = method === 'GET' ? {} : { body: { name: 'Stolen', role: 'owner', email: 'thief@example.com' } }
    // Ids of another account, through one's own account, lead nowhere either.
    const slugs = ['acme', 'nothing', ...(url.includes(':id') ? [stranger.slug] : [])]
    for (const path of slugs.map(pathIn)) {
      const responses = [await stranger.browser.request(method, path, sent)]
      if (method === 'GET') responses.push(await stranger.browser.send(method, path))
      for (const { statusCode, body, headers } of responses) {
        t.same([statusCode, headers['cache-control'], headers['x-inertia']], [404, 'no-cache', undefined], path)
        bodies.add(body)
      }
    }
  }
  t.equal(bodies.size, 1, 'all 404s are the same bytes')
  const guest = await Browser.open(app)
  t.equal((await guest.request('GET', '/acme/activity.csv')).headers.location, '/sign_in')
  t.same(await everything(), before)
  for (const id of ['abc', '0', '99999999999999999999', '-1', '1.5', '9223372036854775808']) {
    const response = await owner.browser.request('PATCH', `/acme/members/${id}`, { body: { role: 'member' } })
    t.equal(response.statusCode, 404, id)
  }
})

t.test('an owner transfers the ownership to another member, in one step', async (t) => {
  const { owner, join, membersNow } = await sharedAcme(t)
  const admin = await join('admin')
  const member = await join('member')
  const transfer = (from: typeof owner, to: typeof member) =>
    from.browser.submit('POST', `/acme/members/${to.membershipId}/ownership`, challenge)
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
