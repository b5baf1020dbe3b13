import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../drizzle/schema.ts'
import { endSession, insertSession } from '../../features/auth/sessions.ts'
import { SignedOut } from '../../plugins/security/session-transaction.ts'
import { whileLocked } from '../helpers/database.ts'
import { invite, password, sharedAcme, sharedPerson, signedIn, signedUp } from '../helpers/people.ts'
import { snapshot } from '../helpers/records.ts'

type Write = [method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object]

const tables = ['users', 'accounts', 'memberships', 'invitations', 'presences', 'activities', 'pgboss.job']

t.test('a write commits before its session ends, or not at all', async (t) => {
  const { app, db, owner, join } = await sharedAcme(t)
  const member = await join('member')
  const { browser: elsewhere, page } = await signedIn(app, owner.person)
  const guest = await signedUp(app)
  const sent = await invite(app, owner, '/acme', 'friend@example.com')
  const received = await invite(app, guest, `/${guest.slug}`, owner.person.email)
  const challenge = { password_challenge: password }
  const fresh = { password: 'a fresh new password', password_confirmation: 'a fresh new password' }

  const writes: Write[] = [
    ['PATCH', '/acme/settings', { name: 'Mine' }],
    ['DELETE', '/acme', challenge],
    ['PATCH', `/acme/members/${member.membershipId}`, { role: 'admin' }],
    ['DELETE', `/acme/members/${member.membershipId}`],
    ['POST', '/acme/invitations', { email: 'another@example.com', role: 'member' }],
    ['POST', `/acme/invitations/${sent.id}/resend`],
    ['DELETE', `/acme/invitations/${sent.id}`],
    ['POST', `${received.link}/accept`],
    ['POST', `${received.link}/decline`],
    ['POST', '/accounts', { name: 'Mine' }],
    ['POST', '/identity/email_verification'],
    ['PATCH', '/settings/profile', { name: 'Mine' }],
    ['PATCH', '/settings/email', { ...challenge, email: 'mine@example.com' }],
    ['PATCH', '/settings/password', { ...challenge, ...fresh }],
    ['POST', '/settings/export', challenge],
    ['DELETE', '/sessions', challenge],
    ['DELETE', `/sessions/${owner.session}`],
    ['DELETE', '/users', challenge],
  ]
  const acting = eq(sessions.token, page.props.auth.session.id)
  const [session] = await db.select().from(sessions).where(acting)
  if (!session) throw new Error('nobody is signed in')
  for (const [method, path, body = {}] of writes) {
    const before = await snapshot(db, ...tables)
    const headers = elsewhere.csrfHeader()
    const end = sql`delete from sessions where ${acting}`
    const response = await whileLocked(db, end, () => elsewhere.send(method, path, { body, headers }))
    t.equal(response.headers.location, '/sign_in', `${method} ${path}`)
    t.same(await snapshot(db, ...tables), before)
    await db.insert(sessions).values(session)
  }
  t.equal((await elsewhere.submit('PATCH', '/acme/settings', { name: 'Ours' })).flash?.notice, 'Settings saved')
})

t.test('two sessions that end each other do not deadlock, and one of them remains', async (t) => {
  const { app, db, user } = await sharedPerson(t)
  const client = { ipAddress: '', userAgent: '' }
  for (let round = 0; round < 10; round++) {
    const start = () =>
      db.transaction((tx) => insertSession(tx, new Date(), user.id, client, { firstFactor: 'password' }))
    const [one, other] = await Promise.all([start(), start()])
    const outcomes = await Promise.allSettled([
      endSession(app, user.id, one.token, other.token),
      endSession(app, user.id, other.token, one.token),
    ])
    const reasons = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason))
    t.equal(reasons.filter((reason) => reason === true).length, 1)
    t.equal(reasons.filter((reason) => reason instanceof SignedOut).length, 1)
  }
})
