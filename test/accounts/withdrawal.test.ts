import { isNull } from 'drizzle-orm'
import t from 'tap'
import { invitations } from '../../drizzle/schema.ts'
import { invite, password, sharedAcme, signedUp, verifiedUp, verify } from '../helpers/people.ts'

type Acme = Awaited<ReturnType<typeof sharedAcme>>
type Admin = Awaited<ReturnType<Acme['join']>>

const remove = ({ owner }: Acme, { membershipId }: Pick<Admin, 'membershipId'>) =>
  owner.browser.submit('DELETE', `/acme/members/${membershipId}`)

const ways: Record<string, (acme: Acme, admin: Admin) => Promise<unknown>> = {
  'by removal': remove,
  'by leaving': (_, { browser, membershipId }) => browser.submit('DELETE', `/acme/members/${membershipId}`),
  'by a lower role': ({ owner }, { membershipId }) =>
    owner.browser.submit('PATCH', `/acme/members/${membershipId}`, { role: 'member' }),
  'by deletion': (_, { browser }) => browser.submit('DELETE', '/users', { password_challenge: password }),
}

for (const [way, end] of Object.entries(ways)) {
  t.test(`a former manager loses the invitations and the link they made, ${way}`, async (t) => {
    const acme = await sharedAcme(t)
    const { app, db, owner } = acme
    const admin = await acme.join('admin')
    const accomplice = await signedUp(app)
    const { link } = await invite(app, admin, '/acme', 'second-mailbox@example.com', 'admin')
    const accepted = await invite(app, admin, '/acme', accomplice.person.email)
    await invite(app, owner, '/acme', 'friend@example.com')
    await accomplice.browser.submit('POST', `${accepted.link}/accept`)
    const { flash } = await admin.browser.submit('POST', '/acme/invitation_link')
    const joinLink = new URL(String(flash?.invitation_link)).pathname

    await end(acme, admin)
    const pending = await db.select().from(invitations).where(isNull(invitations.acceptedAt))
    t.equal(pending.map(({ email }) => email).join(), 'friend@example.com')
    for (const path of [link, joinLink]) t.equal((await accomplice.browser.send('GET', path)).statusCode, 404, path)
    t.equal((await owner.browser.visit('/acme/members')).props.invitation_link, null)
    t.equal((await accomplice.browser.visit('/acme')).component, 'accounts/show', 'who has joined stays')
  })
}

t.test('whoever made the link, a removed member may know it, so it ends, and the answer says so', async (t) => {
  const acme = await sharedAcme(t)
  const { owner, join } = acme
  const { flash } = await owner.browser.submit('POST', '/acme/invitation_link')
  const link = new URL(String(flash?.invitation_link)).pathname
  const leaver = await join('member')
  await leaver.browser.submit('DELETE', `/acme/members/${leaver.membershipId}`)
  t.ok((await owner.browser.visit('/acme/members')).props.invitation_link, 'not when somebody leaves')

  const removed = await verifiedUp(acme.app)
  await removed.browser.submit('POST', link)
  const membershipId = (await acme.membersNow()).at(-1)?.id ?? 0
  const page = await remove(acme, { membershipId })
  t.same(page.flash, { notice: 'Member removed', invitation_link_ended: true })
  t.equal(page.props.invitation_link, null)
  t.equal((await removed.browser.request('POST', link)).statusCode, 404)
  t.same((await remove(acme, await join('member'))).flash, { notice: 'Member removed' }, 'without a link, none ends')
})

t.test('who joins with the link while they are being removed is no member afterwards', async (t) => {
  const acme = await sharedAcme(t)
  const { flash } = await acme.owner.browser.submit('POST', '/acme/invitation_link')
  const link = new URL(String(flash?.invitation_link)).pathname
  const member = await acme.join('member')
  await verify(acme.db, member.user.id)
  const join = () => member.browser.request('POST', link)
  await Promise.all([join(), remove(acme, member), join(), join()])
  t.equal((await acme.membersNow()).length, 1)
})
