import { and, desc, eq, sql } from 'drizzle-orm'
import t from 'tap'
import { accounts, activities, invitations, memberships, rateLimits, users } from '../../drizzle/schema.ts'
import { operatorLog } from '../../drizzle/tables/operators.ts'
import { secondFactors } from '../../drizzle/tables/second-factor.ts'
import { keyOf } from '../../plugins/security/limits/index.ts'
import { startApp } from '../helpers/app.ts'
import { untilWaiting, whileLocked } from '../helpers/database.ts'
import { operatorUp } from '../helpers/operators.ts'
import { challenge, invite, nextIp, signedIn, startAcme, userRow, verifiedUp, verify } from '../helpers/people.ts'
import { forgetMails, mailsOf, queuedMails } from '../helpers/records.ts'
import { withSecondFactor } from '../helpers/second-factor.ts'
import { startSmtp } from '../helpers/smtp.ts'

const smtp = await startSmtp(t)
const { app, clock, db } = await startApp(t, smtp.environment)
const operator = await operatorUp({ app, clock })
const { browser } = operator

type Method = 'POST' | 'PUT' | 'DELETE'
const act = (method: Method, path: string, body: object = {}) =>
  browser.submit(method, `/admin${path}`, { ...challenge, ...body }, { 'x-forwarded-for': nextIp() })

const newestOf = async (userId: number) =>
  (await db.select().from(activities).where(eq(activities.userId, userId)).orderBy(desc(activities.id)).limit(1))[0]

/** As what an operator did is recorded: without their name and their client. */
const byOperator = { actorId: null, actorName: 'An operator', ipAddress: null, userAgent: null }
const actionsOn = async (userId: number) =>
  (await db.select().from(operatorLog).where(eq(operatorLog.userId, userId)))
    .map(({ action }) => action)
    .filter((action) => action !== 'user_viewed')

t.test('the page of a person says all that is asked for, and no id of a session', async (t) => {
  const { user, person, slug, browser: own } = await withSecondFactor({ app, clock })
  await db
    .update(secondFactors)
    .set({ lockedUntil: new Date(Date.now() + 60_000) })
    .where(eq(secondFactors.userId, user.id))
  await (await app.jobs.boss()).send('dead_jobs', { job: 'password_reset', email: person.email })
  const { props, component } = await browser.visit(`/admin/users/${user.id}`)
  t.equal(component, 'operators/user')
  const { id, name, email, created_at } = user
  t.match(props.user, {
    ...{ id, name, email, created_at, verified: true, suspended_at: null, suspension_reason: null, operator: false },
    last_seen_at: /Z$/,
    factor_locked_until: /Z$/,
  })
  t.same([props.ways[0], props.ways.at(-1)], ['password', 'second factor'])
  t.match(props.accounts, [{ name: user.name, slug, role: 'owner' }])
  t.same(Object.keys(props.accounts[0]), ['id', 'name', 'slug', 'role'])
  t.same(Object.keys(props.sessions[0]), ['user_agent', 'ip_address', 'method', 'created_at', 'last_seen_at'])
  t.match(props.activities[0], { type: 'second_factor_enabled', actor_name: person.name })
  const purposes = props.mails.map(({ purpose, state }: Record<string, string>) => `${purpose} ${state}`)
  t.same(purposes.toSorted(), ['email_verification waiting', 'password_reset failed', 'second_factor_enabled waiting'])
  const token = (await own.visit('/settings/sessions')).props.auth.session.id
  t.notMatch(JSON.stringify(props), token)
  t.equal((await browser.request('GET', '/admin/users/999999')).statusCode, 404)
  await forgetMails(db)
})

t.test('an operator ends sessions, removes a factor and deletes, as the command and the person do', async (t) => {
  const { user, person, browser: own } = await withSecondFactor({ app, clock })
  const path = `/users/${user.id}`
  t.match(await act('POST', `${path}/sign_out`), { url: `/admin${path}`, flash: { notice: 'Sessions ended' } })
  t.equal((await own.visit('/settings/profile')).component, 'auth/sign-in')
  t.match(await newestOf(user.id), { type: 'sessions_ended', ...byOperator })

  t.match(await act('DELETE', `${path}/second_factor`), {
    url: `/admin${path}`,
    flash: { notice: 'Second factor removed' },
  })
  t.match(await newestOf(user.id), { type: 'second_factor_disabled', ...byOperator })
  t.equal((await mailsOf(db, user.id)).at(-1), 'second_factor_disabled')
  t.equal((await browser.request('DELETE', `/admin${path}/second_factor`, { body: challenge })).statusCode, 404)
  const { browser: back, page } = await signedIn(app, person)
  t.equal(page.component, 'accounts/show')
  const told = (await back.visit('/settings/activity')).props.activities.map(
    ({ actor_name }: typeof page.props) => actor_name,
  )
  t.ok(told.includes('An operator'))
  t.notMatch(JSON.stringify((await back.visit('/settings/activity')).props), new RegExp(`${operator.person.name}\\b`))

  t.match(await act('DELETE', path), { url: '/admin/users', flash: { notice: 'User deleted' } })
  t.equal(await db.$count(users, eq(users.id, user.id)), 0)
  t.match((await queuedMails(db)).at(-1), { mail: 'user_deleted', email: person.email })
  t.same(await actionsOn(user.id), ['sessions_ended', 'second_factor_removed', 'user_deleted'])
})

t.test('an operator sees what keeps somebody out, mails them a way back, and lifts the pause', async (t) => {
  const { user, person } = await verifiedUp(app)
  const acme = await startAcme(app)
  await db.update(accounts).set({ requireSecondFactor: true }).where(eq(accounts.id, acme.account.id))
  await db.insert(memberships).values({ accountId: acme.account.id, userId: user.id, role: 'member' })
  const expiresAt = new Date(Date.now() + 60_000)
  await db.insert(rateLimits).values({ key: keyOf('guess', person.email), hits: 100, expiresAt })
  const path = `/users/${user.id}`
  const { obstacles } = (await browser.visit(`/admin${path}`)).props
  t.match(obstacles, {
    paused_until: /Z$/,
    recovery_codes_left: null,
    requiring: [{ id: acme.account.id, name: 'Acme', is_owner: false, second_factor: true, sso: false }],
  })
  t.same((await signedIn(app, person)).page.flash, { alert: 'Try again later.' })
  const lifted = await act('DELETE', `${path}/pause`)
  t.match(lifted, { flash: { notice: 'Pause lifted' }, props: { obstacles: { paused_until: null } } })
  t.equal((await signedIn(app, person)).page.component, 'accounts/show')

  await forgetMails(db)
  t.match(await act('POST', `${path}/reset_link`), { flash: { notice: 'Reset link sent' } })
  const verified = { flash: { alert: 'Their email is verified already' } }
  t.match(await act('POST', `${path}/verification`), verified)
  await db.update(users).set({ verified: false }).where(eq(users.id, user.id))
  t.match(await act('POST', `${path}/verification`), { flash: { notice: 'Verification sent' } })
  t.match(await act('POST', `${path}/reset_link`), { flash: { alert: 'Their email is not verified' } })
  t.same((await queuedMails(db)).map(({ mail }) => mail).toSorted(), ['email_verification', 'password_reset'])
  const typed = await act('DELETE', path, { address: 'another@example.com' })
  t.same(typed.props.errors, { address: ['is not theirs'] })
  t.equal((await act('DELETE', path, { address: person.email.toUpperCase() })).flash?.notice, 'User deleted')
  t.same(await actionsOn(user.id), ['pause_lifted', 'reset_link_sent', 'verification_sent', 'user_deleted'])
})

t.test('a user whom two operators delete at once is deleted once', async (t) => {
  const { user, person } = await verifiedUp(app)
  const remove = () => browser.request('DELETE', `/admin/users/${user.id}`, { body: challenge })
  const lock = sql`select from users where id = ${user.id} for update`
  const both = Promise.withResolvers<void>()
  const removeTwice = () => Promise.all([remove(), remove()]).finally(both.resolve)
  const answers = await whileLocked(db, lock, removeTwice, () => untilWaiting(db, both.promise, 2))
  t.same(answers.map(({ statusCode }) => statusCode).toSorted(), [303, 404])
  const told = (await queuedMails(db)).filter(({ mail, email }) => mail === 'user_deleted' && email === person.email)
  t.equal(told.length, 1)
  t.same(await actionsOn(user.id), ['user_deleted'])
})

t.test('what follows from a deletion is not said to be by somebody else', async (t) => {
  const acme = await startAcme(app)
  const heir = await acme.join('member')
  await act('DELETE', `/users/${acme.owner.user.id}`)
  const told = await db
    .select()
    .from(activities)
    .where(eq(activities.accountId, acme.account.id))
    .orderBy(activities.id)
  t.match(told.slice(-2), [
    { type: 'member_left', actorName: 'a deleted user', ipAddress: null },
    { type: 'role_changed', userId: heir.user.id, ...byOperator },
  ])
})

t.test('operators are for the command line, oneself too', async (t) => {
  const other = await operatorUp({ app, clock })
  const refused = { flash: { alert: 'Use the command line for operators' } }
  for (const { user } of [other, operator]) {
    const path = `/users/${user.id}`
    const before = await userRow(db, user.id)
    for (const [method, more] of [
      ['POST', '/sign_out'],
      ['POST', '/reset_link'],
      ['POST', '/verification'],
      ['DELETE', '/pause'],
      ['DELETE', '/second_factor'],
      ['PUT', '/suspension'],
      ['DELETE', '/suspension'],
      ['DELETE', ''],
    ] as const)
      t.match(await act(method, path + more, { reason: 'because' }), { url: `/admin${path}`, ...refused })
    t.same(await userRow(db, user.id), before)
    t.same(await actionsOn(user.id), [])
  }
  t.equal((await other.browser.visit('/admin')).component, 'operators/users')
})

t.test('a suspension needs a reason, which only operators see', async (t) => {
  const { user } = await verifiedUp(app)
  const path = `/users/${user.id}`
  for (const [reason, message] of [
    [' ', "can't be blank"],
    ['a\0', 'is invalid'],
    ['x'.repeat(201), 'is too long (maximum is 200 characters)'],
  ])
    t.same((await act('PUT', `${path}/suspension`, { reason })).props.errors, { reason: [message] })
  const page = await act('PUT', `${path}/suspension`, { reason: 'x'.repeat(200) })
  t.match(page, { url: `/admin${path}`, flash: { notice: 'User suspended' } })
  t.match(page.props.user, { suspended_at: /Z$/, suspension_reason: 'x'.repeat(200) })
  t.match(await newestOf(user.id), { type: 'suspended', ...byOperator, details: {} })
  await act('PUT', `${path}/suspension`, { reason: 'Fraud' })
  const mailed = (await mailsOf(db, user.id)).filter((mail) => mail === 'suspended')
  t.same(mailed, ['suspended'], 'once')

  t.match(await act('DELETE', `${path}/suspension`), { url: `/admin${path}`, flash: { notice: 'Suspension lifted' } })
  t.match(await newestOf(user.id), { type: 'unsuspended', ...byOperator })
  t.match(await userRow(db, user.id), { suspendedAt: null, suspensionReason: null })
  t.equal((await browser.request('DELETE', `/admin${path}/suspension`, { body: challenge })).statusCode, 404)
})

t.test('the page of a workspace says who is in it and what it requires, and makes a member an owner', async (t) => {
  const { account, owner, join, path: at } = await startAcme(app)
  await verify(db, owner.user.id)
  const member = await join('member')
  await verify(db, member.user.id)
  const { id: invitationId } = await invite(app, owner, at, 'invited@example.com')
  await invite(app, owner, at, 'late@example.com')
  await db
    .update(invitations)
    .set({ expiresAt: new Date(0) })
    .where(eq(invitations.email, 'late@example.com'))
  const path = `/accounts/${account.id}`
  const { props } = await browser.visit(`/admin${path}`)
  const { id, name, slug } = account
  t.same(props.account, { id, name, slug, created_at: account.createdAt.toISOString() })
  const rows = [owner, member].map(({ user }, n) => ({
    id: user.id,
    name: user.name,
    email: user.email,
    role: n ? 'member' : 'owner',
  }))
  t.same(props.members, rows)
  t.same(props.requires, { second_factor: false, sso: false })
  t.match(props.invitations, [{ email: 'invited@example.com', role: 'member', expires_at: /Z$/ }])
  t.equal(props.invitations.length, 1)
  t.ok(invitationId)

  const made = { url: `/admin${path}`, flash: { notice: `${member.user.name} is an owner now` } }
  t.match(await act('PUT', `${path}/owner`, { user_id: member.user.id }), made)
  t.match(await newestOf(member.user.id), {
    type: 'role_changed',
    ...byOperator,
    details: { from: 'member', to: 'owner' },
  })
  const isOwner = and(eq(memberships.accountId, id), eq(memberships.role, 'owner'))
  t.equal(await db.$count(memberships, isOwner), 2)
  await app.jobs.startWorkers()
  const mail = await smtp.next(`${member.user.name} is now an owner of Acme`)
  t.equal(mail.recipient, owner.person.email)
  t.match(mail.text, `An operator made ${member.user.name} an owner of Acme`)
  const mailed = (await mailsOf(db, member.user.id)).filter((name) => name === 'owner_added')
  t.same(mailed, [], 'the other owners are told')
  for (const user_id of [operator.user.id, 999_999, 'x', null, ''])
    t.equal((await browser.request('PUT', `/admin${path}/owner`, { body: { ...challenge, user_id } })).statusCode, 404)
  const [line] = await db.select().from(operatorLog).where(eq(operatorLog.action, 'owner_added'))
  t.match(line, { userId: member.user.id, accountId: id })

  await db.insert(memberships).values({ accountId: id, userId: operator.user.id, role: 'member' })
  const third = await join('member')
  for (const { user } of [operator, third])
    t.match(await act('PUT', `${path}/owner`, { user_id: user.id }), {
      url: `/admin${path}`,
      flash: { alert: "You can't do that in a workspace of yours" },
    })
  await db.delete(memberships).where(and(eq(memberships.accountId, id), eq(memberships.userId, operator.user.id)))
  await act('PUT', `/users/${third.user.id}/suspension`, { reason: 'Fraud' })
  t.match(await act('PUT', `${path}/owner`, { user_id: third.user.id }), {
    url: `/admin${path}`,
    flash: { alert: `${third.user.name} is suspended` },
  })
  t.equal(await db.$count(memberships, isOwner), 2)
})
