import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import {
  accounts,
  emailChanges,
  invitations,
  memberships,
  presences,
  type Role,
  sessions,
  type User,
  users,
} from '../../drizzle/schema.ts'
import { deleteAccount, updateAccount } from '../../features/accounts/account-settings.ts'
import { invite, revokeInvitation } from '../../features/accounts/invitations.ts'
import { changeRole, removeMember, transferOwnership } from '../../features/accounts/member-changes.ts'
import { acceptInvitation, declineInvitation, tokenDigestOf } from '../../features/accounts/received-invitations.ts'
import { createToken } from '../../features/api/tokens/tokens.ts'
import { userKeeper } from '../../features/api/tokens/ways-in.ts'
import { endEverySession, endOtherSessions, endSession } from '../../features/auth/sessions.ts'
import { beginWithPassword } from '../../features/auth/sign-in.ts'
import { createUser } from '../../features/auth/sign-up.ts'
import { suspend } from '../../features/auth/suspension.ts'
import { deleteUser } from '../../features/auth/user-deletion.ts'
import { removeUnverifiedUser, resetPassword, undoChange, verifyEmail } from '../../features/identity/links.ts'
import { changePicture } from '../../features/pictures/pictures.ts'
import { resetSecondFactor } from '../../features/second-factor/second-factors.ts'
import { changeEmail, changePassword, updateProfile } from '../../features/settings/changes.ts'
import { createPresence } from '../../plugins/live/presence.ts'
import { sessionTransaction } from '../../plugins/security/session-transaction.ts'
import { byDigest } from '../helpers/people.ts'
import { linkOf, linkWriters } from '../invitation-link/writers.ts'
import { operatorWriters } from '../operators/writers.ts'
import { connectionOf, singleSignOnWriters } from '../single-sign-on/writers.ts'
import { webhookOf, webhookWriters } from '../webhooks/writers.ts'
import { workspaceTokenOf, workspaceTokenWriters } from '../workspace-tokens/writers.ts'

const client = { ipAddress: '203.0.113.7', userAgent: 'a browser' }
const visitor = { ...client, device: undefined }
const digest = 'nobody knows the password of this'
const proof = byDigest(digest)

const random = () => randomBytes(8).toString('hex')

/** How a member stands to their address. `changed`: they verified another one before. */
export type Standing = 'never verified' | 'verified' | 'changed'

export type World = Awaited<ReturnType<typeof createWorld>>

/**
 * A workspace with two owners and a member who has everything that ends with a user. One statement for each table: the
 * worlds are most of what the test costs.
 */
export async function createWorld(app: FastifyInstance, standing: Standing) {
  const { db } = app
  const domain = `${random()}.test`
  const now = app.now()
  const expiresAt = new Date(now.getTime() + 86_400_000)
  const address = () => `${random()}@${domain}`

  const rowOf = (values: Partial<User> = {}) => {
    const email = address()
    const proved = { verified: true, verifiedAt: now, provedEmail: email }
    return { name: 'Ana', email, passwordDigest: digest, secondFactorAt: now, ...proved, ...values }
  }
  const unverified = { verified: false, provedEmail: null, verifiedAt: standing === 'changed' ? now : null }
  const people = [rowOf(), rowOf(), rowOf(), rowOf(standing === 'verified' ? {} : unverified)]
  const inserted = await db.insert(users).values(people).returning()
  const factors = { firstFactor: 'sso', secondFactor: 'code' } as const
  const started = { ...client, ...factors, createdAt: now, lastSeenAt: now }
  const withSessions = inserted.map((user) => {
    const tokens = [random(), random()] as const
    return { ...user, tokens, session: { userId: user.id, token: tokens[0] } }
  })
  const [owner, partner, friend, member] = withSessions
  if (!owner || !partner || !friend || !member) throw new Error('no users')
  const begun = withSessions.flatMap(({ id, tokens }) => tokens.map((token) => ({ ...started, userId: id, token })))
  await db.insert(sessions).values(begun)

  const members: Record<number, Role>[] = [
    { [owner.id]: 'owner', [partner.id]: 'owner', [member.id]: 'admin' },
    { [member.id]: 'owner', [friend.id]: 'admin', [owner.id]: 'member' },
    { [friend.id]: 'owner' },
  ]
  const named = members.map(() => ({ name: 'Acme', slug: `acme-${random()}` }))
  const added = await db.insert(accounts).values(named).returning()
  const joining = added.flatMap(({ id }, at) =>
    Object.entries(members[at] ?? {}).map(([userId, role]) => ({ accountId: id, userId: Number(userId), role })),
  )
  const joined = await db.insert(memberships).values(joining).returning()
  const [acme, shared, elsewhere] = added.map((account) => ({
    ...account,
    idOf: (userId: number) => joined.find((row) => row.accountId === account.id && row.userId === userId)?.id ?? 0,
  }))
  if (!acme || !shared || !elsewhere) throw new Error('no accounts')

  const previous = { userId: member.id, previousEmail: address(), previousProved: true, createdAt: now }
  const [change] = standing === 'changed' ? await db.insert(emailChanges).values(previous).returning() : []

  const [sentToken, receivedToken] = [random(), random()]
  const offer = (accountId: number, inviterId: number, email: string, token: string) =>
    ({ accountId, inviterId, email, role: 'member', tokenDigest: tokenDigestOf(token), expiresAt }) as const
  const [sent, received] = await db
    .insert(invitations)
    .values([
      offer(acme.id, member.id, address(), sentToken),
      offer(elsewhere.id, friend.id, member.email, receivedToken),
    ])
    .returning()
  if (!sent || !received) throw new Error('no invitations')

  const actorAt = (accountId: number, { id, tokens }: typeof owner) => ({
    ...{ userId: id, accountId, credential: tokens[0] },
  })

  const presence = createPresence(db)
  const room = `AccountChannel:${acme.id}`
  const tabOf = (sessionToken: string) => sessionToken.slice(0, 8)
  const here = { identifier: room, userId: member.id, state: {}, expiresAt: sql`now() + interval '30 seconds'` }
  await db.insert(presences).values(member.tokens.map((token) => ({ ...here, tabId: tabOf(token) })))

  return {
    ...{ app, db, owner, partner, friend, member, acme, shared, elsewhere, change, presence, room, tabOf },
    ...(await linkOf(db, acme.id, acme.idOf(member.id), now)),
    ...(await connectionOf(db, acme, [owner, member], domain, now)),
    ...(await webhookOf(db, acme.id, member.id, now)),
    ...(await workspaceTokenOf(db, sent, member.id, now)),
    ...{ sent, received: { token: receivedToken }, actorAt },
  }
}

/** Whatever changes what others may do, or ends it. */
export const writers: Record<string, (world: World) => Promise<unknown>> = {
  heartbeat: async ({ presence, room, member, tabOf }) => {
    const [, sessionToken] = member.tokens
    for (let n = 0; n < 12; n++)
      await presence.enter({ room, userId: member.id, sessionToken, tabId: tabOf(sessionToken), state: { n } })
  },
  departure: ({ presence, room, member }) => presence.leave(room, member.id),
  'expired presence': ({ presence }) => presence.forgetExpired(),
  suspension: ({ app, member }) => app.db.transaction((tx) => suspend(app, tx, member.id, null)),
  'suspension of an owner': ({ app, owner }) => app.db.transaction((tx) => suspend(app, tx, owner.id, null)),
  claim: ({ app, member: { email } }) =>
    createUser(
      app,
      { name: 'Grace', email, passwordDigest: null, isVerified: true, factors: { firstFactor: 'provider' } },
      client,
    ),
  'not mine': ({ app, member }) => removeUnverifiedUser(app, member),
  'undo of an email change': async ({ app, change }) => change && undoChange(app, change),
  'email change': ({ app, member }) =>
    changeEmail(app, { ...member.session, reauthentication: proof }, `${random()}@example.com`),
  verification: ({ app, member }) => verifyEmail(app, member, member.id),
  reset: ({ app, member }) => resetPassword(app, member, 'a fresh new password'),
  'password change': ({ app, member }) =>
    changePassword(app, { ...member.session, reauthentication: proof }, 'a fresh new password'),
  'sign-in': ({ app, member }) => beginWithPassword(app, { ...member, secondFactorAt: null }, visitor),
  'sign-out': ({ app, member: { id, tokens } }) => endSession(app, id, tokens[0], tokens[0]),
  'end of another session': ({ app, member: { id, tokens } }) => endSession(app, id, tokens[0], tokens[1]),
  'end of other sessions': ({ db, member }) => endOtherSessions(db, { ...member.session, reauthentication: proof }),
  'end of every session': ({ db, member }) => db.transaction((tx) => endEverySession(tx, member.id)),
  deletion: ({ app, member }) => deleteUser(app, { ...member.session, reauthentication: proof }),
  'deletion of an owner': ({ app, owner }) => deleteUser(app, { ...owner.session, reauthentication: proof }),
  'deletion of the workspace': ({ app, owner, acme, actorAt }) => deleteAccount(app, actorAt(acme.id, owner), proof),
  profile: ({ db, member }) => updateProfile(db, member.session, `Ana ${random()}`),
  picture: ({ db, member }) => changePicture(db, member.session, Buffer.from(random())),
  token: ({ app, member }) =>
    createToken(app, userKeeper(app, member, member.tokens[0]), { name: 'CI', scope: 'read', days: 7 }, proof),
  'second factor': ({ app, db, member }) => db.transaction((tx) => resetSecondFactor(app, tx, member.id)),
  settings: ({ app, owner, acme, actorAt }) => updateAccount(app, actorAt(acme.id, owner), { name: random() }),
  removal: ({ app, owner, acme, member, actorAt }) =>
    removeMember(app, actorAt(acme.id, owner), { membershipId: acme.idOf(member.id) }),
  leaving: ({ app, acme, member, actorAt }) =>
    removeMember(app, actorAt(acme.id, member), { membershipId: acme.idOf(member.id) }),
  role: ({ app, owner, acme, member, actorAt }) =>
    changeRole(app, actorAt(acme.id, owner), { membershipId: acme.idOf(member.id), role: 'member' }),
  'another owner': ({ app, owner, acme, member, actorAt }) => {
    const change = { membershipId: acme.idOf(member.id), role: 'owner', reauthentication: proof }
    return changeRole(app, actorAt(acme.id, owner), change)
  },
  transfer: ({ app, partner, acme, member, actorAt }) => {
    const transfer = { membershipId: acme.idOf(member.id), reauthentication: proof }
    return transferOwnership(app, actorAt(acme.id, partner), transfer)
  },
  ...operatorWriters,
  invitation: ({ app, acme, member, actorAt }) =>
    invite(app, actorAt(acme.id, member), { email: `${random()}@example.com`, role: 'member' }),
  withdrawal: ({ app, owner, acme, sent, actorAt }) => revokeInvitation(app, actorAt(acme.id, owner), sent.id),
  acceptance: ({ app, db, received: { token }, member }) =>
    sessionTransaction(db, member.tokens[0], (tx) => acceptInvitation(app, tx, { token }, member)),
  declination: ({ app, db, received: { token }, member }) =>
    sessionTransaction(db, member.tokens[0], (tx) => declineInvitation(app, tx, { token }, member)),
  ...linkWriters,
  ...singleSignOnWriters,
  ...webhookWriters,
  ...workspaceTokenWriters,
}
