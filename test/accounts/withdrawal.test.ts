import { setTimeout as sleep } from 'node:timers/promises'
import { isNull } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { invitations } from '../../drizzle/schema.ts'
import { startAcme, tokenOf } from '../helpers/accounts.ts'
import { startApp } from '../helpers/app.ts'
import { jobsIn } from '../helpers/jobs.ts'
import { password, signedUp } from '../helpers/people.ts'
import { startSmtp } from '../helpers/smtp.ts'

async function startWithAdmin(t: Test, environment?: Record<string, string>) {
  const started = await startApp(t, environment)
  const acme = await startAcme(started.app)
  const admin = await acme.join('admin')
  const invite = ({ browser }: typeof admin, email: string, role = 'admin') =>
    browser.submit('POST', '/acme/invitations', { email, role })
  const pending = async () => {
    const rows = await started.db
      .select()
      .from(invitations)
      .where(isNull(invitations.acceptedAt))
      .orderBy(invitations.id)
    return rows.map(({ email }) => email)
  }
  return { ...started, ...acme, admin, invite, pending }
}

t.test('a former manager loses the invitations they sent', async (t) => {
  const ways: Record<string, (context: Awaited<ReturnType<typeof startWithAdmin>>) => Promise<unknown>> = {
    'by removal': ({ owner, admin }) => owner.browser.submit('DELETE', `/acme/members/${admin.membershipId}`),
    'by leaving': ({ admin }) => admin.browser.submit('DELETE', `/acme/members/${admin.membershipId}`),
    'by a lower role': ({ owner, admin }) =>
      owner.browser.submit('PATCH', `/acme/members/${admin.membershipId}`, { role: 'member' }),
    'by deletion': ({ admin }) => admin.browser.submit('DELETE', '/users', { password_challenge: password }),
  }
  for (const [way, end] of Object.entries(ways)) {
    const context = await startWithAdmin(t)
    const { app, db, owner, admin, invite, pending } = context
    const accomplice = await signedUp(app)
    await invite(admin, 'second-mailbox@example.com')
    await invite(admin, accomplice.person.email, 'member')
    await invite(owner, 'friend@example.com', 'member')
    const [theirs, accepted] = await db.select().from(invitations).orderBy(invitations.id)
    const link = `/invitations/${await tokenOf(app, theirs?.id ?? 0)}`
    await accomplice.browser.submit('POST', `/invitations/${await tokenOf(app, accepted?.id ?? 0)}/accept`)

    await end(context)
    t.same(await pending(), ['friend@example.com'], way)
    t.equal((await accomplice.browser.send('GET', link)).statusCode, 404, 'the link leads nowhere')
    t.equal((await accomplice.browser.visit('/acme')).component, 'accounts/show', 'who has joined stays')
  }
})

t.test('remaining managers keep theirs, and other accounts are not affected', async (t) => {
  const { owner, admin, invite, pending } = await startWithAdmin(t)
  await owner.browser.submit('PATCH', `/acme/members/${admin.membershipId}`, { role: 'owner' })
  await invite(admin, 'friend@example.com')
  await admin.browser.submit('POST', `/${admin.slug}/invitations`, { email: 'friend@example.com', role: 'member' })
  await owner.browser.submit('PATCH', `/acme/members/${admin.membershipId}`, { role: 'admin' })
  t.same(await pending(), ['friend@example.com', 'friend@example.com'])
  await owner.browser.submit('DELETE', `/acme/members/${admin.membershipId}`)
  t.same(await pending(), ['friend@example.com'], 'that of their own account')
})

t.test('the mail of a withdrawn invitation is dropped silently', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db, owner, admin, invite } = await startWithAdmin(t, smtp.environment)
  await invite(admin, 'second-mailbox@example.com')
  await owner.browser.submit('DELETE', `/acme/members/${admin.membershipId}`)
  await invite(owner, 'friend@example.com')
  await app.jobs.work()
  const states = async () =>
    (await jobsIn(db)).flatMap(({ data, state }) => (data.job === 'account_invitation' ? [state] : []))
  while ((await states()).some((state) => state !== 'completed')) await sleep(20)
  t.equal((await states()).length, 2)
  t.notOk(smtp.tries.includes('second-mailbox@example.com'))
  t.ok(smtp.tries.includes('friend@example.com'))
})
