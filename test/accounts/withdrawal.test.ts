import { isNull } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { invitations } from '../../drizzle/schema.ts'
import { password, sharedAcme, signedUp, tokenOf } from '../helpers/people.ts'

async function startWithAdmin(t: Test) {
  const started = await sharedAcme(t)
  const admin = await started.join('admin')
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
  return { ...started, admin, invite, pending }
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
    await t.test(way, async (t) => {
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
      t.same(await pending(), ['friend@example.com'])
      t.equal((await accomplice.browser.send('GET', link)).statusCode, 404, 'the link leads nowhere')
      t.equal((await accomplice.browser.visit('/acme')).component, 'accounts/show', 'who has joined stays')
    })
  }
})
