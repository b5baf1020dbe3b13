import { and, eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { memberships, users } from '../../drizzle/schema.ts'
import { changeRole } from '../../features/accounts/member-changes.ts'
import { startApp } from '../helpers/app.ts'
import { actorAt, byDigest, challenge, prove, sharedAcme, startAcme } from '../helpers/people.ts'
import { forgetMails, queuedMails } from '../helpers/records.ts'
import { startSmtp } from '../helpers/smtp.ts'

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

t.test('permission comes first, and without a new owner nothing is asked', async (t) => {
  const { owner, join, member, ways, path } = await startOwned(t)
  const admin = await join('admin')
  for (const [method, url, body] of ways) {
    const { flash } = await admin.browser.submit(method, url, { ...body, password_challenge: 'wrong' })
    t.same(flash, { alert: "You don't have permission to do that" })
  }
  t.equal((await member.browser.request('PATCH', '/acme/members/0', { body: { role: 'owner' } })).statusCode, 404)
  await owner.browser.submit('PATCH', path, { role: 'owner', ...challenge })
  for (const role of ['owner', 'admin', 'member'])
    t.same((await owner.browser.submit('PATCH', path, { role })).flash, { notice: 'Role updated' }, role)
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
  for (const { subject, text } of mails) {
    t.equal(subject, `${member.user.name} is now an owner of Acme`)
    t.match(text, `${owner.user.name} made ${member.user.name} an owner of Acme.`)
    t.match(text, 'http://localhost:3000/acme/members')
    t.notMatch(text, '203.0.113', 'not from where')
  }
  t.same(mails.map(({ recipient }) => recipient).sort(), [owner, second, member].map(({ user }) => user.email).sort())
})
