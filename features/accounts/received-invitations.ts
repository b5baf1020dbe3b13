import { hash, randomUUID } from 'node:crypto'
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, invitations, memberships, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { tryTakeMail } from '../../plugins/security/limits/index.ts'
import { addMember, ownerShownIn, requireMembershipSlot } from './accounts.ts'
import { beginMembership } from './beginnings.ts'
import { broadcastToMembers, recordAccountActivity } from './channel.ts'

export const weekMs = 7 * 86_400_000
export const inAWeek = (now: Date) => new Date(now.getTime() + weekMs)

/**
 * The token for the mail being sent. The invitation's week starts now. Every attempt to send the same mail contains the
 * same token, so all copies work. Undefined if the invitation is gone or accepted, or has a newer mail.
 */
export async function mintInvitation({ db, now, tokens }: FastifyInstance, invitationId: number, mailId: string) {
  const token = tokens.derive('invitation', mailId)
  const isNewest = or(eq(invitations.mailId, mailId), isNull(invitations.mailId))
  const pending = and(eq(invitations.id, invitationId), isNull(invitations.acceptedAt), isNewest)
  const values = { tokenDigest: tokenDigestOf(token), expiresAt: inAWeek(now()) }
  const [updated] = await db.update(invitations).set(values).where(pending).returning({ id: invitations.id })
  const row = updated && (await selectInvitation(db, eq(invitations.id, invitationId)))
  return row && { token, ...row }
}

/** What leads to an invitation: the token of its mail, or its id for people who proved the address before. */
export type LinkToInvitation = { token: string } | { id: number; userId: number }

export async function findInvitation({ db, now }: FastifyInstance, link: LinkToInvitation) {
  const row = await selectInvitation(db, isLinkedBy(link))
  return row && { ...row, expired: isExpired(row.invitation, now()) }
}

export type PendingInvitation = NonNullable<Awaited<ReturnType<typeof pendingInvitation>>>

export async function pendingInvitation(app: FastifyInstance, token: string) {
  const row = await findInvitation(app, { token })
  return row && !row.expired ? { ...row, token } : undefined
}

/**
 * Makes the invited user a member, and marks their address verified, since the link was sent there. An existing member
 * keeps their role. Undefined without the link, if the person has not proved the address themself: then the link is
 * sent again. Throws NotFound, or Refused if the invitation is expired, used, or for another address, or the user is in
 * too many accounts.
 */
export async function acceptInvitation(app: FastifyInstance, tx: Tx, link: LinkToInvitation, user: Invited) {
  const now = app.now()
  const { account, invitation } = await lockReceived(tx, now, link, user)
  const accountId = account.id
  await requireMembershipSlot(tx, user.id, accountId)
  if (!(await mayAnswerInvitation(tx, link, user, invitation))) return sendAgain(app, tx, invitation)

  const accepted = { acceptedAt: now, accepterId: user.id }
  await tx.update(invitations).set(accepted).where(eq(invitations.id, invitation.id))
  const isNew = await addMember(tx, { accountId, userId: user.id }, invitation.role)
  await beginMembership(app, tx, { account, userId: user.id, email: invitation.email, isNew })
  // If the address was changed since the user was read, the new one is not verified.
  const hasSameEmail = and(eq(users.id, user.id), eq(users.email, invitation.email))
  const verifiedAt = sql<Date>`case when ${users.verified} then ${users.verifiedAt} else ${now.toISOString()} end`
  const verified = { verified: true, verifiedAt, provedEmail: invitation.email, updatedAt: users.updatedAt }
  await tx.update(users).set(verified).where(hasSameEmail)
  return account
}

/** Mail scanners open links, so someone who signed up with the address could answer what was sent to its owner. */
async function mayAnswerInvitation(tx: Tx, link: LinkToInvitation, user: Invited, { email }: { email: string }) {
  if ('token' in link) return true
  const hasProved = and(eq(users.id, user.id), eq(users.email, email), eq(users.provedEmail, email))
  return (await tx.$count(users, hasProved)) > 0
}

async function sendAgain({ mail }: FastifyInstance, tx: Tx, { id, email }: { id: number; email: string }) {
  if (!(await tryTakeMail(tx, 'open_invitation_mail', email))) return
  const mailId = randomUUID()
  await tx.update(invitations).set({ mailId }).where(eq(invitations.id, id))
  await mail.queue(tx, 'account_invitation', { invitationId: id }, { id: mailId })
}

/**
 * Deletes the invitation, for both sides. Undefined without the link, if the person has not proved the address
 * themself: then the link is sent again. Throws NotFound, or Refused if it is expired, used, or for someone else.
 */
export async function declineInvitation(app: FastifyInstance, tx: Tx, link: LinkToInvitation, user: Invited) {
  const { account, invitation } = await lockReceived(tx, app.now(), link, user)
  if (!(await mayAnswerInvitation(tx, link, user, invitation))) return sendAgain(app, tx, invitation)
  const { id, role } = invitation
  await tx.delete(invitations).where(eq(invitations.id, id))
  await broadcastToMembers(tx, account.id, 'members')
  const place = { accountId: account.id, userId: user.id }
  await recordAccountActivity(tx, place, 'invitation_declined', { userId: user.id, invitation_id: id, role })
  return account
}

type Invited = { id: number; email: string }

const isLinkedBy = (link: LinkToInvitation) =>
  'token' in link
    ? eq(invitations.tokenDigest, tokenDigestOf(link.token))
    : // Those of others, and of an address that someone only claims, do not exist: ids can be guessed.
      and(
        eq(invitations.id, link.id),
        sql`${invitations.email} = (select me.email from ${users} me where me.id = ${link.userId} and me.verified)`,
      )

async function lockReceived(tx: Tx, now: Date, link: LinkToInvitation, user: Invited) {
  const linked = isLinkedBy(link)
  const [row] = await tx.select({ accountId: invitations.accountId }).from(invitations).where(linked)
  if (!row) throw new NotFound()
  // Locks the account first, the same order in which its deletion locks.
  const [account] = await tx.select().from(accounts).where(eq(accounts.id, row.accountId)).for('no key update')
  const [invitation] = await tx.select().from(invitations).where(linked).for('update')
  if (!account || !invitation) throw new NotFound()
  if (isExpired(invitation, now)) throw new Refused(text('This invitation has expired'))
  if (invitation.email !== user.email)
    throw new Refused(text('This invitation is for {email}', { email: invitation.email }))
  return { account, invitation }
}

type ReceivedInvitation = NonNullable<Awaited<ReturnType<typeof selectInvitation>>>

export async function hasJoined(db: Database, { invitation }: ReceivedInvitation, user: Invited | undefined) {
  if (!invitation.acceptedAt || invitation.email !== user?.email) return false
  const isMembership = and(eq(memberships.accountId, invitation.accountId), eq(memberships.userId, user.id))
  return (await db.$count(memberships, isMembership)) > 0
}

/** The invited person's language, or the inviter's if they are a stranger. */
const inviteeLanguage = sql<string | null>`coalesce(
  (select invitee.language from ${users} invitee where invitee.email = ${invitations.email}), ${users.language})`

async function selectInvitation(db: Database, which: SQL | undefined) {
  const [row] = await db
    .select({
      invitation: invitations,
      account: accounts,
      person: ownerShownIn(sql`null`),
      inviterName: users.name,
      language: inviteeLanguage,
    })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .leftJoin(users, eq(users.id, invitations.inviterId))
    .where(which)
  return row
}

const isExpired = ({ acceptedAt, expiresAt }: { acceptedAt: Date | null; expiresAt: Date }, now: Date) =>
  acceptedAt !== null || expiresAt <= now

// 256 random bits cannot be guessed, so a fast digest is enough.
export const tokenDigestOf = (token: string) => hash('sha256', token, 'base64url')
