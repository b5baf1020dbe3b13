import { and, eq, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import { changeRole, removeMember } from '../../features/accounts/member-changes.ts'
import { suspend } from '../../features/auth/suspension.ts'
import { removeUser } from '../../features/auth/user-deletion.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { startApp } from '../helpers/app.ts'
import { whileLocked } from '../helpers/database.ts'
import { actorAt, byDigest, challenge, prove, sharedAcme, startAcme } from '../helpers/people.ts'
import { forgetMails, queuedMails } from '../helpers/records.ts'
import { startSmtp } from '../helpers/smtp.ts'

const partial = (component: string, data: string) => ({
  'x-inertia-partial-component': component,
  'x-inertia-partial-data': data,
})

/** Acme with a member, and the two ways to make them an owner. */
async function startOwned(t: Test) {
  const started = await sharedAcme(t)
  const member = await started.join('member')
  const path = `/acme/members/${member.membershipId}`
  const ways = [
    ['PATCH', path, { role: 'owner' }],
    ['POST', `${path}/ownership`, {}],
  ] as const
  const rolesNow = async () => (await started.membersNow()).map(({ role }) => role).join()
  return { ...started, member, path, ways, rolesNow }
}

t.test('whoever passes the challenge makes an owner either way, and the page has what its form needs', async (t) => {
  const { db, owner, ways, path, rolesNow } = await startOwned(t)
  await db.update(users).set({ passwordDigest: null }).where(eq(users.id, owner.user.id))
  t.same((await owner.browser.visit('/acme/members')).props.without_password, { recent: true })
  for (const [[method, url, body], notice, after] of [
    [ways[0], 'Role updated', 'owner,owner'],
    [ways[1], 'Ownership transferred', 'admin,owner'],
  ] as const) {
    await owner.browser.submit('PATCH', path, { role: 'member' })
    const page = await owner.browser.submit(method, url, body)
    t.same([page.url, page.flash], ['/acme/members', { notice }])
    t.equal(await rolesNow(), after)
  }
})

t.test('permission comes first, and where nobody becomes an owner or is one no longer, nothing is asked', async (t) => {
  const { owner, join, member, ways, path } = await startOwned(t)
  const admin = await join('admin')
  for (const [method, url, body] of ways) {
    const { flash } = await admin.browser.submit(method, url, { ...body, password_challenge: 'wrong' })
    t.same(flash, { alert: "You don't have permission to do that" })
  }
  t.equal((await member.browser.request('PATCH', '/acme/members/0', { body: { role: 'owner' } })).statusCode, 404)
  await owner.browser.submit('PATCH', path, { role: 'owner', ...challenge })
  t.same((await owner.browser.submit('PATCH', path, { role: 'owner' })).flash, { notice: 'Role updated' }, 'as before')
  const own = `/acme/members/${owner.membershipId}`
  for (const role of ['admin', 'member'])
    t.same((await owner.browser.submit('PATCH', own, { role })).flash, { notice: 'Role updated' }, `oneself: ${role}`)
})

t.test(
  'another owner is demoted or removed by whoever passes the challenge, after role and last owner are judged',
  async (t) => {
    const { owner, join, rolesNow } = await startOwned(t)
    const [demoted, removed] = [await join('owner'), await join('owner')]
    const at = ({ membershipId }: { membershipId: number }) => `/acme/members/${membershipId}`
    const wrong = { password_challenge: 'not the password' }
    for (const body of [{}, wrong])
      for (const [method, url, more] of [
        ['PATCH', at(demoted), { role: 'admin' }],
        ['DELETE', at(removed), {}],
      ] as const) {
        const page = await owner.browser.submit(method, url, { ...more, ...body })
        t.same([page.url, page.props.errors], ['/acme/members', { password_challenge: ['is invalid'] }])
      }
    const unknown = await owner.browser.submit('PATCH', at(demoted), { role: 'king', ...wrong })
    t.same(unknown.flash, { alert: 'Role is not included in the list' })
    t.equal(await rolesNow(), 'owner,member,owner,owner')
    const page = await owner.browser.submit('PATCH', at(demoted), { role: 'admin', ...challenge })
    t.same(page.flash, { notice: 'Role updated' })
    const after = await owner.browser.submit('DELETE', at(removed), challenge)
    t.same(after.flash, { notice: 'Member removed' })
    const last = await owner.browser.submit('DELETE', at(owner), wrong)
    t.same(last.flash, { alert: 'A workspace needs at least one owner' })
    t.equal(await rolesNow(), 'owner,member,admin')
  },
)

t.test('who became an owner meanwhile is not demoted or removed without the challenge', async (t) => {
  const { app, db, account, owner, member, rolesNow } = await startOwned(t)
  const actor = actorAt(account, owner)
  const { membershipId } = member
  const lock = sql`select from accounts where id = ${account.id} for update`
  for (const change of [
    () => changeRole(app, actor, { membershipId, role: 'admin' }),
    () => removeMember(app, actor, { membershipId }),
  ]) {
    const promote = (tx: Tx) => tx.update(memberships).set({ role: 'owner' }).where(eq(memberships.id, membershipId))
    const refused = await whileLocked(db, lock, () => change().catch((error) => error), promote)
    t.match(refused, { errors: { password_challenge: [{ text: 'is invalid' }] } })
    t.equal(await rolesNow(), 'owner,owner')
    await db.update(memberships).set({ role: 'member' }).where(eq(memberships.id, membershipId))
  }
})

t.test('who is no owner any more when it is decided does not become one without the challenge', async (t) => {
  const { app, account, owner, member, rolesNow } = await startOwned(t)
  const actor = actorAt(account, owner)
  const change = { membershipId: member.membershipId, role: 'owner' }
  for (const reauthentication of [undefined, byDigest('an older one')]) {
    const error = await changeRole(app, actor, { ...change, reauthentication }).catch((error) => error)
    t.match(error, { errors: { password_challenge: [{ text: 'is invalid' }] } })
  }
  t.equal(await rolesNow(), 'owner,member')
})

t.test('every owner with a verified address gets a mail, also the one who gives the ownership away', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  const { account, owner, join } = await startAcme(app)
  const [second, unverified, member] = [await join('owner'), await join('owner'), await join('admin')]
  for (const { user } of [owner, second, member]) await prove(db, user.id)
  await forgetMails(db)
  await owner.browser.submit('POST', `/acme/members/${member.membershipId}/ownership`, challenge)
  const told = (await queuedMails(db)).map(({ mail, userId }) => [mail, userId])
  const owners = [owner, second, member].map(({ user }) => ['owner_added', user.id])
  t.same(told, owners)
  t.notOk(told.some(([, userId]) => userId === unverified.user.id))

  // A thief who makes somebody an owner and then removes the others cannot keep them from knowing.
  await db.delete(memberships).where(and(eq(memberships.accountId, account.id), eq(memberships.userId, second.user.id)))
  await app.jobs.startWorkers()
  const mails = [await smtp.next(), await smtp.next(), await smtp.next()]
  for (const { subject, text, recipient } of mails) {
    t.equal(subject, `${member.user.name} is now an owner of Acme`)
    t.match(text, `${owner.user.name} made ${member.user.name} an owner of Acme.`)
    const isMember = recipient !== second.user.email
    t.equal(text?.includes('http://localhost:3000/acme/members'), isMember, 'who is out sees no members')
    t.notMatch(text, '203.0.113', 'not from where')
  }
  t.same(mails.map(({ recipient }) => recipient).sort(), [owner, second, member].map(({ user }) => user.email).sort())
})

t.test('who is no owner any more hears of it, and all other owners', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  const { owner, join } = await startAcme(app)
  const [second, third, unverified] = [await join('owner'), await join('owner'), await join('owner')]
  for (const { user } of [owner, second, third]) await prove(db, user.id)
  await forgetMails(db)
  const told = async () => {
    const mails = (await queuedMails(db)).map(({ mail, userId }) => [mail, userId])
    await forgetMails(db)
    return mails
  }
  const to = (...people: { user: { id: number } }[]) => people.map(({ user }) => ['owner_removed', user.id])
  const at = ({ membershipId }: { membershipId: number }) => `/acme/members/${membershipId}`
  await owner.browser.submit('PATCH', at(second), { role: 'member', ...challenge })
  t.same(await told(), to(owner, second, third))
  await owner.browser.submit('DELETE', at(unverified), challenge)
  t.same(await told(), to(owner, third))
  await owner.browser.submit('DELETE', at(second))
  t.same(await told(), [], 'nothing of others')
  await third.browser.submit('DELETE', at(owner), challenge)
  await app.jobs.startWorkers()
  for (const mail of [await smtp.next(), await smtp.next()]) {
    t.equal(mail.subject, `${owner.user.name} is no longer an owner of Acme`)
    t.match(mail.text, `${third.user.name} took the ownership of Acme from ${owner.user.name}.`)
    t.equal(mail.text?.includes('/acme/members'), mail.recipient === third.user.email)
  }
})

t.test('a suspended owner is not counted, so that somebody who can act remains', async (t) => {
  const { app, db, account, owner, join, rolesNow } = await startOwned(t)
  const second = await join('owner')
  const isSole = async () =>
    (await owner.browser.visit('/acme/members', partial('accounts/members', 'totals'))).props.totals.sole_owner
  t.equal(await isSole(), false)
  const { membershipId } = owner
  const leave = () => removeMember(app, actorAt(account, owner), { membershipId }).catch((error) => error)
  const lock = sql`select from accounts where id = ${account.id} for update`
  const left = await whileLocked(db, lock, leave, (tx) => suspend(app, tx, second.user.id, null))
  t.match(left, { reason: { text: 'A workspace needs at least one owner' } }, 'while the other one is being suspended')
  t.equal(await isSole(), true)
  for (const [method, body] of [
    ['DELETE', {}],
    ['PATCH', { role: 'admin' }],
  ] as const) {
    const { flash } = await owner.browser.submit(method, `/acme/members/${owner.membershipId}`, body)
    t.same(flash, { alert: 'A workspace needs at least one owner' })
  }
  await owner.browser.submit('DELETE', `/acme/members/${second.membershipId}`, challenge)
  t.equal(await rolesNow(), 'owner,member', 'they can be removed')
})

t.test('a suspended member becomes an owner by nobody, and inherits nothing', async (t) => {
  const { app, db, account, owner, member, join, ways, rolesNow, membersNow } = await startOwned(t)
  await db.transaction((tx) => suspend(app, tx, member.user.id, null))
  for (const [method, url, body] of ways) {
    const { flash } = await owner.browser.submit(method, url, { ...body, ...challenge })
    t.same(flash, { alert: `${member.user.name} is suspended` })
  }
  t.equal(await rolesNow(), 'owner,member')

  const preview = async () =>
    (await owner.browser.visit('/settings/profile', partial('settings/profile', 'departure'))).props.departure
  t.same(await preview(), { deleted: [{ name: owner.user.name }], inherited: [] })
  const heir = await join('member')
  t.same((await preview()).inherited, [{ name: 'Acme', successor: heir.user.name }])
  await remove(owner)
  t.equal(await rolesNow(), 'member,owner')
  await remove(heir)
  t.match(await membersNow(), [{ userId: member.user.id, role: 'member' }], 'what is theirs stays, for operators')
  await remove(member)
  t.equal(await db.$count(accounts, eq(accounts.id, account.id)), 0, 'nobody is left')

  async function remove({ user }: { user: { id: number } }) {
    await db.transaction((tx) => removeUser(app, tx, user.id, { keepsSlugs: false }))
  }
})
