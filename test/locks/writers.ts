import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { accounts, emailChanges, invitations, memberships, type Role, type User, users } from '../../drizzle/schema.ts'
import { ssoConnections, ssoDomains, ssoIdentities, ssoPasses } from '../../drizzle/tables/single-sign-on.ts'
import { deleteAccount, updateAccount } from '../../features/accounts/account-settings.ts'
import { invite, revokeInvitation } from '../../features/accounts/invitations.ts'
import { changeRole, makeOwner, removeMember, transferOwnership } from '../../features/accounts/member-changes.ts'
import { acceptInvitation, declineInvitation, tokenDigestOf } from '../../features/accounts/received-invitations.ts'
import { createToken } from '../../features/api/tokens/tokens.ts'
import { endEverySession, endOtherSessions, endSession, insertSession } from '../../features/auth/sessions.ts'
import { beginSignIn, beginWithPassword } from '../../features/auth/sign-in.ts'
import { createUser } from '../../features/auth/sign-up.ts'
import { suspend } from '../../features/auth/suspension.ts'
import { deleteUser, withRetries } from '../../features/auth/user-deletion.ts'
import { removeUnverifiedUser, resetPassword, undoChange, verifyEmail } from '../../features/identity/links.ts'
import { createInvitationLink, joinByLink } from '../../features/invitation-link/invitation-links.ts'
import { changePicture } from '../../features/pictures/pictures.ts'
import { resetSecondFactor } from '../../features/second-factor/second-factors.ts'
import { changeEmail, changePassword, updateProfile } from '../../features/settings/changes.ts'
import { removeConnection } from '../../features/single-sign-on/connections.ts'
import { bySingleSignOn } from '../../features/single-sign-on/factor.ts'
import { passInSession } from '../../features/single-sign-on/pass-in-session.ts'
import { startRequiring } from '../../features/single-sign-on/requirement.ts'
import { createPresence } from '../../plugins/live/presence.ts'
import { sessionTransaction } from '../../plugins/security/session-transaction.ts'
import { byDigest } from '../helpers/people.ts'

const client = { ipAddress: '203.0.113.7', userAgent: 'a browser' }
const visitor = { ...client, device: undefined }
const digest = 'nobody knows the password of this'
const proof = byDigest(digest)

const random = () => randomBytes(8).toString('hex')

/** How a member stands to their address. `changed`: they verified another one before. */
export type Standing = 'never verified' | 'verified' | 'changed'

export type World = Awaited<ReturnType<typeof createWorld>>

/** A workspace with two owners and a member who has everything that ends with a user. */
export async function createWorld(app: FastifyInstance, standing: Standing) {
  const { db } = app
  const domain = `${random()}.test`
  const now = app.now()

  const insertUser = async (values: Partial<User> = {}) => {
    const email = `${random()}@${domain}`
    const proved = { verified: true, verifiedAt: now, provedEmail: email }
    const row = { name: 'Ana', email, passwordDigest: digest, secondFactorAt: now, ...proved, ...values }
    const [user] = await db.insert(users).values(row).returning()
    if (!user) throw new Error('no user')
    const start = () =>
      db.transaction((tx) => insertSession(tx, now, user.id, client, { firstFactor: 'sso', secondFactor: 'code' }))
    const tokens = [(await start()).token, (await start()).token] as const
    return { ...user, tokens, session: { userId: user.id, token: tokens[0] } }
  }
  const insertAccount = async (members: Record<number, Role>) => {
    const [account] = await db
      .insert(accounts)
      .values({ name: 'Acme', slug: `acme-${random()}` })
      .returning()
    if (!account) throw new Error('no account')
    const rows = Object.entries(members).map(([id, role]) => ({ accountId: account.id, userId: Number(id), role }))
    const inserted = await db.insert(memberships).values(rows).returning()
    return { ...account, idOf: (userId: number) => inserted.find((row) => row.userId === userId)?.id ?? 0 }
  }

  const [owner, partner, friend] = [await insertUser(), await insertUser(), await insertUser()]
  const unverified = { verified: false, provedEmail: null, verifiedAt: standing === 'changed' ? now : null }
  const member = await insertUser(standing === 'verified' ? {} : unverified)
  const acme = await insertAccount({ [owner.id]: 'owner', [partner.id]: 'owner', [member.id]: 'admin' })
  const shared = await insertAccount({ [member.id]: 'owner', [friend.id]: 'admin', [owner.id]: 'member' })
  const elsewhere = await insertAccount({ [friend.id]: 'owner' })

  const previous = { userId: member.id, previousEmail: `${random()}@${domain}`, previousProved: true, createdAt: now }
  const [change] = standing === 'changed' ? await db.insert(emailChanges).values(previous).returning() : []

  const insertInvitation = async (accountId: number, inviterId: number, email: string) => {
    const token = random()
    const values = { accountId, inviterId, email, role: 'member' as const, tokenDigest: tokenDigestOf(token) }
    const expiresAt = new Date(now.getTime() + 86_400_000)
    const [invitation] = await db
      .insert(invitations)
      .values({ ...values, expiresAt })
      .returning()
    return { id: invitation?.id ?? 0, token }
  }
  const sent = await insertInvitation(acme.id, member.id, `${random()}@${domain}`)
  const received = await insertInvitation(elsewhere.id, friend.id, member.email)

  const actorAt = (accountId: number, { id, tokens }: typeof owner) => ({
    ...{ userId: id, accountId, credential: tokens[0] },
  })
  await db.insert(ssoDomains).values({ accountId: acme.id, domain, record: random(), verifiedAt: now })
  const provider = { issuer: 'https://login.example.com', clientId: 'id', secret: 'sealed' }
  const [connection] = await db
    .insert(ssoConnections)
    .values({ accountId: acme.id, ...provider })
    .returning()
  if (!connection) throw new Error('no connection')
  const subject = random()
  const [identity] = await db
    .insert(ssoIdentities)
    .values({ accountId: acme.id, userId: member.id, subject })
    .returning()
  const pass = { identityId: identity?.id ?? 0, connectionId: connection.id }
  for (const sessionToken of [...owner.tokens, ...member.tokens])
    await db.insert(ssoPasses).values({ sessionToken, connectionId: connection.id, passedAt: now })

  const link = await createInvitationLink(app, actorAt(acme.id, member))
  const presence = createPresence(db, () => null)
  const room = `AccountChannel:${acme.id}`
  for (const sessionToken of member.tokens)
    await presence.enter({ room, userId: member.id, sessionToken, tabId: sessionToken.slice(0, 8), state: {} })

  const profile = {
    ...{ provider: { id: 'oidc', name: 'Acme' }, issuer: provider.issuer, subject, name: 'Ana' },
    ...{ email: member.email, proved: true },
  }
  return {
    ...{ app, db, owner, partner, friend, member, acme, shared, elsewhere, change, sent, received, link, pass },
    ...{ presence, room, profile, actorAt, connected: { account: acme, connection } },
  }
}

/** Whatever changes what others may do, or ends it. */
export const writers: Record<string, (world: World) => Promise<unknown>> = {
  heartbeat: async ({ presence, room, member }) => {
    const [, sessionToken] = member.tokens
    for (let n = 0; n < 12; n++)
      await presence.enter({ room, userId: member.id, sessionToken, tabId: sessionToken.slice(0, 8), state: { n } })
  },
  departure: ({ presence, room, member }) => presence.leave(room, member.id),
  'expired presence': ({ presence }) => presence.forgetExpired(),
  suspension: ({ app, member }) => withRetries(app.db, (tx) => suspend(app, tx, member.id, null)),
  'suspension of an owner': ({ app, owner }) => withRetries(app.db, (tx) => suspend(app, tx, owner.id, null)),
  claim: ({ app, member: { email } }) =>
    createUser(
      app,
      { name: 'Grace', email, passwordDigest: null, proved: true, factors: { firstFactor: 'provider' } },
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
    createToken(app, { ...member.session, reauthentication: proof }, { name: 'CI', scope: 'read', days: 7 }),
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
  'owner by an operator': ({ app, acme, member }) =>
    withRetries(app.db, (tx) => makeOwner(app, tx, acme.id, member.id)),
  invitation: ({ app, acme, member, actorAt }) =>
    invite(app, actorAt(acme.id, member), { email: `${random()}@example.com`, role: 'member' }),
  withdrawal: ({ app, owner, acme, sent, actorAt }) => revokeInvitation(app, actorAt(acme.id, owner), sent.id),
  acceptance: ({ app, db, received: { token }, member }) =>
    sessionTransaction(db, member.tokens[0], (tx) => acceptInvitation(app, tx, { token }, member)),
  declination: ({ app, db, received: { token }, member }) =>
    sessionTransaction(db, member.tokens[0], (tx) => declineInvitation(app, tx, { token }, member)),
  'invitation link': ({ app, acme, member, actorAt }) => createInvitationLink(app, actorAt(acme.id, member)),
  'joining by the link': ({ app, friend, link }) => joinByLink(app, friend.session, link),
  'single sign-on': ({ app, member, pass }) =>
    beginSignIn(app, member.id, { visitor, factor: bySingleSignOn(app), proof: pass }),
  pass: ({ app, member, connected, profile }) => passInSession(app, member.session, connected, profile, undefined),
  requirement: ({ app, owner, acme, actorAt }) => startRequiring(app, actorAt(acme.id, owner)),
  'end of the connection': ({ app, owner, acme, actorAt }) => removeConnection(app, actorAt(acme.id, owner), proof),
}
