import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { activities, invitations, memberships, users } from '../../drizzle/schema.ts'
import { createAccount } from '../../features/accounts/accounts.ts'
import { signUp } from '../../features/auth/sign-up.ts'

export const password = 'correct horse battery'

const dayMs = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * dayMs)
const longName = 'Wilhelmina Featherstonehaugh-Cholmondeley of the Northern Territories'
const names = [
  longName,
  ...'Dana Weiss, Émile Roux, Fay Lin, Gus Berg, Hana Kim, José Ángel, Kaja Lind, محمد أحمد'.split(', '),
  ...['Ægir Þórðarson', 'Ελένη Παπαδοπούλου'],
]

/** Fills an empty database with people, accounts, invitations and activity. */
export async function seed(app: FastifyInstance) {
  const ana = await addPerson(app, 'Ana García', 'ana@example.com')
  const ben = await addPerson(app, 'Ben Okafor', 'ben@example.com')
  await addPerson(app, 'Zoë', 'zoe@example.com', false)
  const { id: acme } = await app.db.transaction((tx) => createAccount(app, tx, 'Acme', ana))
  await addMembers(app, acme, ben)
  await addActivities(app, acme, ana)
  await addInvitations(app, acme, ana)
}

async function addPerson(app: FastifyInstance, name: string, email: string, verified = true) {
  const { user } = await signUp(app, { name, email, password }, { ipAddress: '127.0.0.1', userAgent: '' })
  if (verified) await app.db.update(users).set({ verified, verifiedAt: app.now() }).where(eq(users.id, user.id))
  return user.id
}

async function addMembers({ db }: FastifyInstance, accountId: number, ben: number) {
  const people = names.map((name, index) => ({ name, email: `person-${index}@example.com` }))
  const added = await db.insert(users).values(people).returning({ userId: users.id })
  const members = added.map(({ userId }, index) => ({ userId, role: index % 4 === 0 ? 'admin' : 'member' }) as const)
  const all = [{ userId: ben, role: 'member' } as const, ...members]
  await db.insert(memberships).values(all.map((member) => ({ accountId, ...member })))
}

async function addActivities({ db }: FastifyInstance, accountId: number, ana: number) {
  const byAna = { actorId: ana, actorName: 'Ana García' }
  const joined = { type: 'member_joined', actorId: null, details: { role: 'member' } } as const
  const history = [
    { ...byAna, type: 'account_renamed', details: { from: 'Acme Ltd', to: 'Acme' } },
    { ...byAna, type: 'role_changed', details: { name: longName, from: 'member', to: 'admin' } },
    { ...joined, actorName: 'محمد أحمد' },
    { ...joined, actorName: 'Kaja Lind' },
    { ...byAna, type: 'member_removed', details: { name: 'Ivo' } },
    { type: 'member_left', actorId: null, actorName: 'Jo', details: {} },
  ] as const
  const dated = history.map((activity, index) => ({ ...activity, accountId, createdAt: inDays((index - 6) / 2) }))
  await db.insert(activities).values(dated)
}

async function addInvitations({ db }: FastifyInstance, accountId: number, inviterId: number) {
  await db.insert(invitations).values([
    { accountId, inviterId, email: 'cleo@example.com', role: 'admin', expiresAt: inDays(5) },
    { accountId, inviterId, email: 'late@example.com', role: 'member', expiresAt: inDays(-300) },
  ])
}
