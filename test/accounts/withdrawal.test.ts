import { isNull } from 'drizzle-orm'
import t from 'tap'
import { invitations } from '../../drizzle/schema.ts'
import { invite, password, sharedAcme, signedUp } from '../helpers/people.ts'

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
  t.test(`a former manager loses the invitations they made, ${way}`, async (t) => {
    const acme = await sharedAcme(t)
    const { app, db, owner } = acme
    const admin = await acme.join('admin')
    const accomplice = await signedUp(app)
    const { link } = await invite(app, admin, '/acme', 'second-mailbox@example.com', 'admin')
    const accepted = await invite(app, admin, '/acme', accomplice.person.email)
    await invite(app, owner, '/acme', 'friend@example.com')
    await accomplice.browser.submit('POST', `${accepted.link}/accept`)

    await end(acme, admin)
    const pending = await db.select().from(invitations).where(isNull(invitations.acceptedAt))
    t.equal(pending.map(({ email }) => email).join(), 'friend@example.com')
    t.equal((await accomplice.browser.send('GET', link)).statusCode, 404)
    t.equal((await accomplice.browser.visit('/acme')).component, 'accounts/show', 'who has joined stays')
  })
}
