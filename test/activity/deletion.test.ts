import t from 'tap'
import { startAcme, tokenOf } from '../helpers/accounts.ts'
import { recorded } from '../helpers/activities.ts'
import { sharedApp } from '../helpers/app.ts'
import { password, signedUp } from '../helpers/people.ts'

t.test('a deleted user is anonymous in shared activity, and nothing else remains of them', async (t) => {
  const { app, db } = await sharedApp(t)
  const { account, owner, join } = await startAcme(app)
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
  t.match(
    shared.map(({ type, actorName, details }) => ({ type, actorName, name: details.name })),
    [
      { type: 'account_created', actorName: owner.user.name },
      { type: 'role_changed', actorName: 'a deleted user', name: member.user.name },
      { type: 'role_changed', actorName: owner.user.name, name: 'a deleted user' },
      { type: 'role_changed', actorName: owner.user.name, name: 'a deleted user' },
      { type: 'account_renamed', actorName: 'a deleted user' },
      { type: 'member_left', actorName: 'a deleted user' },
    ],
  )
  const page = await member.browser.visit('/acme/activity')
  t.equal(page.props.activities[0].actor_name, 'a deleted user')
})

t.test('who inherits an account does not see where its owner was', async (t) => {
  const { app, db } = await sharedApp(t)
  const { owner, join } = await startAcme(app)
  const successor = await join('member')
  await owner.browser.submit('DELETE', '/users', { password_challenge: password })
  const dump = JSON.stringify(await recorded(db))
  t.notOk(dump.includes(owner.browser.headers['x-forwarded-for'] ?? ''))
  const { activities } = (await successor.browser.visit('/settings/activity')).props
  t.match(activities[0], { type: 'role_changed', actor_name: null, ip_address: null, user_agent: null })
})

t.test('the name of a deleted user is not in that of their account either', async (t) => {
  const { app, db } = await sharedApp(t)
  const host = await signedUp(app)
  const [guest, successor] = [await signedUp(app), await signedUp(app)]
  for (const { browser, person } of [guest, successor]) {
    await host.browser.submit('POST', `/${host.slug}/invitations`, { email: person.email, role: 'admin' })
    const [invitation] = (await host.browser.visit(`/${host.slug}/members`)).props.invitations
    await browser.submit('POST', `/invitations/${await tokenOf(app, invitation.id)}/accept`)
  }
  const [, , membership] = (await host.browser.visit(`/${host.slug}/members`)).props.members
  await guest.browser.submit('PATCH', `/${host.slug}/settings`, { name: 'Ours' })
  await host.browser.submit('PATCH', '/settings/profile', { name: 'Another' })
  await host.browser.submit('DELETE', `/${host.slug}/members/${membership.id}`)
  await host.browser.submit('DELETE', '/users', { password_challenge: password })

  const rows = await recorded(db)
  t.notOk(JSON.stringify(rows).includes(host.user.name))
  t.match(rows.find(({ type }) => type === 'account_renamed')?.details, {
    from: "a deleted user's account",
    to: 'Ours',
  })
  t.equal((await successor.browser.visit('/settings/activity')).props.activities[0].type, 'member_removed')
})
