import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { accounts, activities, invitations, memberships, passkeys, sessions, users } from '../../drizzle/schema.ts'
import { mintInvitation } from '../../features/accounts/received-invitations.ts'

const longName = 'Wilhelmina Featherstonehaugh-Cholmondeley of the Northern Territories'
const names = [
  'Dana Weiss',
  'Émile Roux',
  'Fay Lin',
  'Gus Berg',
  'Hana Kim',
  'José Ángel',
  'Ines Sá',
  'Kaja Lind',
  'محمد أحمد',
  longName,
  'Ægir Þórðarson',
  'Ελένη Παπαδοπούλου',
]
const dayMs = 86_400_000

/**
 * Adds people with names in many scripts, invitations and a history to an account. Returns the token of an invitation.
 */
export async function fillAccount(app: FastifyInstance, accountId: number, ownerId: number, memberId: number) {
  const people = names.map((name, index) => ({
    name,
    email:
      name === longName
        ? `${'wilhelmina.'.repeat(5)}featherstonehaugh@northern-territories.example`
        : `person-${index}@example.com`,
    passwordDigest: 'none',
  }))
  const rows = await app.db.insert(users).values(people).returning({ userId: users.id })
  const joined = rows.map(({ userId }, index) => ({
    accountId,
    userId,
    role: index % 4 === 0 ? ('admin' as const) : ('member' as const),
  }))
  await app.db.insert(memberships).values([{ accountId, userId: memberId, role: 'member' }, ...joined])

  const ana = { accountId, actorId: ownerId, actorName: 'Ana García' }
  const at = (days: number) => new Date(Date.now() - days * dayMs)
  await app.db.insert(activities).values([
    { ...ana, type: 'account_renamed', details: { from: 'Acme Ltd', to: 'Acme' }, createdAt: at(3) },
    { ...ana, type: 'role_changed', details: { name: longName, from: 'member', to: 'admin' }, createdAt: at(2) },
    {
      accountId,
      type: 'member_joined',
      actorId: null,
      actorName: 'محمد أحمد',
      details: { role: 'member' },
      createdAt: at(1),
    },
    {
      accountId,
      type: 'member_joined',
      actorId: null,
      actorName: 'Kaja Lind',
      details: { role: 'member' },
      createdAt: at(1),
    },
    { ...ana, type: 'member_removed', details: { name: 'Ivo' }, createdAt: at(0) },
    { accountId, type: 'member_left', actorId: null, actorName: 'Jo', details: {}, createdAt: at(0) },
  ])

  const expiresAt = new Date(Date.now() + 5 * dayMs)
  const [invitation] = await app.db
    .insert(invitations)
    .values([
      { accountId, inviterId: ownerId, email: 'cleo@example.com', role: 'admin', expiresAt },
      { accountId, inviterId: ownerId, email: 'late@example.com', role: 'member', expiresAt: at(300) },
    ])
    .returning()
  const minted = await mintInvitation(app, invitation?.id ?? 0, randomUUID())
  return minted?.token ?? ''
}

/** Gives a user many accounts, many sessions and two passkeys. */
export async function fillMember(app: FastifyInstance, userId: number) {
  const many = Array.from({ length: 14 }, (_, index) => ({ name: `Client ${index + 1}`, slug: `client-${index + 1}` }))
  const made = await app.db.insert(accounts).values(many).returning({ accountId: accounts.id })
  await app.db.insert(memberships).values(made.map(({ accountId }) => ({ accountId, userId, role: 'admin' as const })))

  const agents = [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
      'Version/18.5 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'curl/8.5.0',
    '',
  ]
  const methods = ['passkey', 'password_and_code', 'password_and_recovery_code', 'password']
  await app.db.insert(sessions).values(
    Array.from({ length: 60 }, (_, index) => {
      const createdAt = new Date(Date.now() - (index + 1) * dayMs)
      const ipAddress = index % 3 ? `198.51.100.${index}` : `2001:db8:85a3:8d3:1319:8a2e:370:${7000 + index}`
      const userAgent = agents[index % agents.length] ?? ''
      const method = methods[index % methods.length] ?? ''
      return { token: randomUUID(), userId, userAgent, ipAddress, method, createdAt, lastSeenAt: createdAt }
    }),
  )
  await addPasskey(app, userId)
  const passkey = { userId, publicKey: 'none', counter: 0 }
  await app.db.insert(passkeys).values([
    {
      ...passkey,
      credentialId: 'dHdv',
      name: 'The blue key that lies in the upper drawer of the desk at home',
      syncable: false,
      synced: false,
      lastUsedAt: new Date(Date.now() - 4 * dayMs),
    },
  ])
}

/** Adds a passkey that no device has, so nothing but its row changes. */
export const addPasskey = (app: FastifyInstance, userId: number) =>
  app.db.insert(passkeys).values({
    userId,
    publicKey: 'none',
    counter: 0,
    credentialId: randomUUID().replaceAll('-', ''),
    name: 'Chrome on Windows, May 3',
    syncable: true,
    synced: true,
  })
