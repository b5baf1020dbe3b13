import t from 'tap'
import { password, sharedAcme } from '../helpers/people.ts'
import { recorded } from '../helpers/records.ts'

t.test('a deleted user is anonymous in shared activity, and nothing else remains of them', async (t) => {
  const { db, account, owner, join } = await sharedAcme(t)
  const gone = await join('owner')
  const member = await join('member')
  await gone.browser.submit('PATCH', `/acme/members/${member.membershipId}`, { role: 'admin' })
  await owner.browser.submit('PATCH', `/acme/members/${gone.membershipId}`, { role: 'admin' })
  await owner.browser.submit('PATCH', `/acme/members/${gone.membershipId}`, { role: 'owner' })
  await gone.browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' })
  await gone.browser.submit('POST', '/accounts', { name: 'Theirs' })
  await gone.browser.submit('PATCH', '/theirs/settings', { name: 'Theirs no more' })

  await gone.browser.submit('DELETE', '/users', { password_challenge: password })

  const rows = await recorded(db)
  const dump = JSON.stringify(rows)
  t.notOk(dump.includes(gone.user.name))
  t.notOk(dump.includes(gone.person.email))
  t.notOk(dump.includes(gone.browser.headers['x-forwarded-for'] ?? ''))
  t.notOk(rows.some(({ userId, actorId }) => userId === gone.user.id || actorId === gone.user.id))
  t.notOk(dump.includes('Theirs'))

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
