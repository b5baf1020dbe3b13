import t from 'tap'
import { invitations } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { Browser } from '../helpers/browser.ts'
import { changeEmail, forgotten, password, sharedAcme, sharedPerson, sidOf, signedIn } from '../helpers/people.ts'
import { forgetActivities, recorded } from '../helpers/records.ts'

// Every type of record, and what causes it.

/** What was recorded since the last call. */
async function news(db: Database) {
  const rows = await recorded(db)
  await forgetActivities(db)
  return rows.map(({ type, actorId, userId, accountId, details }) => ({ type, actorId, userId, accountId, details }))
}

t.test('signing up, in and out', async (t) => {
  const { app, db, user, browser, person, slug, session } = await sharedPerson(t)
  const own = { actorId: user.id, userId: user.id }
  const { id: accountId, name } = (await browser.visit(`/${slug}`)).props.account
  t.same(await news(db), [
    { type: 'signed_up', ...own, accountId: null, details: {} },
    { type: 'account_created', ...own, accountId, details: { account_name: name } },
  ])
  const alone = { ...own, accountId: null, details: {} }
  const elsewhere = await signedIn(app, person)
  t.same(await news(db), [{ type: 'signed_in', ...alone, details: { method: 'password' } }])
  await browser.submit('DELETE', `/sessions/${elsewhere.page.props.auth.session.id}`)
  t.same(await news(db), [{ type: 'session_ended', ...alone }], 'another browser')
  await signedIn(app, person)
  await forgetActivities(db)
  await browser.submit('DELETE', '/sessions', { password_challenge: password })
  t.same(await news(db), [{ type: 'sessions_ended', ...alone }], 'all others')
  await browser.submit('DELETE', `/sessions/${session}`)
  t.same(await news(db), [{ type: 'signed_out', ...alone }], 'this browser')
  await browser.submit('DELETE', '/sessions/unknown')
  t.same(await news(db), [])
})

t.test('verification, email changes and passwords', async (t) => {
  const { app, db, user, browser } = await sharedPerson(t)
  await forgetActivities(db)
  const own = { actorId: user.id, userId: user.id, accountId: null, details: {} }

  const link = `/identity/email_verification?sid=${await sidOf(app, 'email_verification', user.id)}`
  for (const guest of [new Browser(app), new Browser(app)]) await guest.visit(link)
  t.same(await news(db), [{ type: 'email_verified', ...own }], 'once')
  for (const email of ['new@example.com', 'new@example.com']) await changeEmail({ browser }, email)
  t.same(await news(db), [{ type: 'email_changed', ...own }], 'not for the same address')

  const fresh = { password: 'another fine password', password_confirmation: 'another fine password' }
  await browser.submit('PATCH', '/settings/password', { ...fresh, password_challenge: password })
  t.same(await news(db), [{ type: 'password_changed', ...own }])
  await browser.submit('PATCH', '/settings/password', { password: '', password_challenge: fresh.password })
  t.same(await news(db), [], 'without a new one nothing has changed')
  await forgotten(app, user.id)
  t.same(await news(db), [{ type: 'password_reset', ...own }])
})

t.test('accounts are created, renamed and deleted, and their owners keep the records', async (t) => {
  const { db, account, owner, join } = await sharedAcme(t)
  const second = await join('owner')
  await join('member')
  const place = { accountId: account.id, actorId: owner.user.id }
  const [created, ...others] = (await news(db)).filter(({ accountId }) => accountId === account.id)
  t.same(created, { type: 'account_created', ...place, userId: owner.user.id, details: { account_name: 'Acme' } })
  t.same(others, [])
  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' })
  const [renamed] = await news(db)
  t.match(renamed, { type: 'account_renamed', ...place, userId: null, details: { from: 'Acme', to: 'Acme Inc.' } })

  await owner.browser.submit('DELETE', '/acme', { password_challenge: password })
  const deleted = { type: 'account_deleted', ...place, details: { account_name: 'Acme Inc.' } }
  const sorted = (await news(db)).sort((a, b) => Number(a.userId) - Number(b.userId))
  const owners = [owner, second].map(({ user }) => ({ ...deleted, userId: user.id }))
  t.match(sorted, owners)
  t.equal(sorted.length, 2)
})

t.test('members are invited, join, change and leave', async (t) => {
  const { db, account, owner, join } = await sharedAcme(t)
  const member = await join('member')
  await forgetActivities(db)
  const place = { accountId: account.id, actorId: owner.user.id }
  const details = { name: member.user.name, account_name: 'Acme' }
  const path = `/acme/members/${member.membershipId}`

  await owner.browser.submit('PATCH', path, { role: 'admin' })
  await owner.browser.submit('PATCH', path, { role: 'admin' })
  await member.browser.submit('PATCH', path, { role: 'owner' })
  const about = { ...place, userId: member.user.id }
  t.same(await news(db), [{ type: 'role_changed', ...about, details: { ...details, from: 'member', to: 'admin' } }])
  await owner.browser.submit('DELETE', path)
  t.same(await news(db), [{ type: 'member_removed', ...about, details }])
  const admin = await join('admin')
  await admin.browser.submit('POST', '/acme/invitations', { email: 'one@example.com', role: 'member' })
  await forgetActivities(db)
  await owner.browser.submit('PATCH', `/acme/members/${admin.membershipId}`, { role: 'member' })
  const [revoked, changed, ...more] = (await news(db)).sort((a, b) => a.type.localeCompare(b.type))
  t.same(more, [])
  t.match(revoked, { type: 'invitation_revoked', ...place, details: { role: 'member' } }, 'what they sent')
  t.match(changed, { type: 'role_changed', ...place })
  const leaver = await join('member')
  await forgetActivities(db)
  await leaver.browser.submit('DELETE', `/acme/members/${leaver.membershipId}`)
  const theirs = { accountId: account.id, actorId: leaver.user.id, userId: leaver.user.id }
  t.same(await news(db), [{ type: 'member_left', ...theirs, details: { account_name: 'Acme' } }])

  await owner.browser.submit('POST', '/acme/invitations', { email: 'new@example.com', role: 'admin' })
  const [invitation] = await db.select().from(invitations)
  const invited = { account_name: 'Acme', invitation_id: invitation?.id, role: 'admin' }
  const sent = { ...place, userId: null, details: invited }
  t.same(await news(db), [{ type: 'member_invited', ...sent }])
  await owner.browser.submit('DELETE', `/acme/invitations/${invitation?.id}`)
  t.same(await news(db), [{ type: 'invitation_revoked', ...sent }])
})

t.test('a deletion records the departures, and the new owner without an actor', async (t) => {
  const { db, account, owner, join } = await sharedAcme(t)
  const successor = await join('admin')
  await forgetActivities(db)
  await owner.browser.submit('DELETE', '/users', { password_challenge: password })
  const [left, changed] = await news(db)
  t.match(left, { type: 'member_left', accountId: account.id })
  const inherited = { actorId: null, userId: successor.user.id, details: { from: 'admin', to: 'owner' } }
  t.match(changed, { type: 'role_changed', accountId: account.id, ...inherited })
})

t.test('a deleted user is anonymous in shared activity', async (t) => {
  const { db, account, owner, join } = await sharedAcme(t)
  const gone = await join('owner')
  const member = await join('member')
  await gone.browser.submit('PATCH', `/acme/members/${member.membershipId}`, { role: 'admin' })
  for (const role of ['admin', 'owner']) {
    const body = { role, password_challenge: password }
    await owner.browser.submit('PATCH', `/acme/members/${gone.membershipId}`, body)
  }
  await gone.browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' })
  await gone.browser.submit('DELETE', '/users', { password_challenge: password })

  const rows = await recorded(db)
  t.notOk(rows.some(({ userId, actorId }) => userId === gone.user.id || actorId === gone.user.id))
  const shared = rows.filter(({ accountId }) => accountId === account.id)
  const names = shared.map(({ type, actorName, details }) => [type, actorName, details.name])
  const somebody = 'a deleted user'
  t.same(names, [
    ['account_created', owner.user.name, undefined],
    ['role_changed', somebody, member.user.name],
    ['role_changed', owner.user.name, somebody],
    ['role_changed', owner.user.name, somebody],
    ['account_renamed', somebody, undefined],
    ['member_left', somebody, somebody],
  ])
  const page = await member.browser.visit('/acme/activity')
  t.equal(page.props.activities[0].actor_name, somebody)
})
