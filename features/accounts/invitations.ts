import { randomUUID } from 'node:crypto'
import { and, desc, eq, getTableColumns, gt, gte, isNull, lt, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Account, invitations, memberships, type Role, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { assertValid, Invalid, withMessages } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { contains, pageOf, pageSize } from '../../plugins/lists.ts'
import { isEmailAddress, normalizeEmail } from '../../plugins/mail/index.ts'
import { TooManyRequests, take, tryTakeMail } from '../../plugins/security/limits/index.ts'
import { noClient, recordEach } from '../activity/index.ts'
import { type Actor, asAllowed, asMember, personOf, requireAllowed, requireManagedToken } from './access.ts'
import { refusalsOf } from './beginnings.ts'
import { broadcastRecorded, broadcastToMembers, type Changer, recordAccountActivity, recordedAs } from './channel.ts'
import { type Distrust, endFor } from './endings.ts'
import { inAWeek } from './received-invitations.ts'
import { invitableRoles } from './rights.ts'

const invited = text('has already been invited')
const tooMany = text('too many invitations are open')
const maxOpen = 500 // of an account

/** Includes expired ones. */
const pendingIn = (accountId: number, which?: SQL) =>
  and(eq(invitations.accountId, accountId), isNull(invitations.acceptedAt), which)

/** A page of the pending invitations, newest first, or of those to addresses that contain `q`. */
export async function invitationsOf(db: Database, accountId: number, before?: number, q = '', size = pageSize) {
  const isOlder = before === undefined ? undefined : lt(invitations.id, before)
  const inviterName = sql<string | null>`(select name from ${users} where ${users.id} = ${invitations.inviterId})`
  const rows = await db
    .select({ ...getTableColumns(invitations), inviterName })
    .from(invitations)
    .where(pendingIn(accountId, and(isOlder, isTo(q))))
    .orderBy(desc(invitations.id))
    .limit(size + 1)
  return pageOf(rows, size)
}

export const countPending = (db: Database, accountId: number, { q = '', which }: { q?: string; which?: SQL } = {}) =>
  db.$count(invitations, pendingIn(accountId, and(isTo(q), which)))

const isTo = (q: string) => (q ? contains(sql`plain_letters(${invitations.email})`, q) : undefined)

type Input = { email: string; role: string }

/** Throws Invalid or Denied. */
export async function checkInvitee(app: FastifyInstance, inviter: Inviter, input: Input) {
  await requireManagedToken(app.db, inviter.actor)
  const email = normalizeEmail(input.email)
  const role = invitableRoles.find((name) => name === input.role)
  const emailErrors = await messages(app, inviter, email)
  const roleErrors = [text('is not included in the list')]
  if (!role) throw new Invalid(withMessages({ email: emailErrors, role: roleErrors }))
  assertValid({ email: emailErrors })
  return { email, role }
}

async function messages(app: FastifyInstance, inviter: Inviter, email: string) {
  const { db } = app
  const now = app.now()
  const { accountId } = inviter.actor
  const blank = email.trim() === '' ? [text("can't be blank")] : []
  if (!isEmailAddress(email)) return [...blank, text('is invalid')]

  const [member] = await db
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.accountId, accountId), eq(users.email, email)))
  if (member) return [text('is already a member')]
  if ((await countOpen(db, accountId, now, eq(invitations.email, email))) > 0) return [invited]
  const refusals = await refusalsOf(app, db, inviter, email)
  if (refusals.length > 0) return refusals
  return (await countOpen(db, accountId, now)) >= maxOpen ? [tooMany] : []
}

/** Who invites, with their role and the account as they were read. */
type Inviter = { actor: Actor; role: Role; account: Account }

export const isExpired = (now: Date) => lte(invitations.expiresAt, now)

const countOpen = (db: Database | Tx, accountId: number, now: Date, which?: SQL) =>
  db.$count(invitations, pendingIn(accountId, and(gt(invitations.expiresAt, now), which)))

export const invite = (app: FastifyInstance, actor: Actor, { email, role }: { email: string; role: Role }) =>
  asAllowed(app, actor, 'members.invite', async (tx, inviterRole, account) => {
    await requireManagedToken(tx, actor)
    const { accountId } = actor
    const inviterId = personOf(actor) ?? null
    const now = app.now()
    assertValid({ email: await refusalsOf(app, tx, { role: inviterRole, account }, email) })
    if ((await countOpen(tx, accountId, now)) >= maxOpen) throw new Invalid({ email: [tooMany] })
    const expired = and(eq(invitations.email, email), isExpired(now))
    await tx.delete(invitations).where(pendingIn(accountId, expired))
    const mailId = randomUUID()
    const values = { accountId, inviterId, email, role, mailId, createdAt: now, expiresAt: inAWeek(now) }
    const [invitation] = await tx.insert(invitations).values(values).onConflictDoNothing().returning()
    if (!invitation) throw new Invalid({ email: [invited] })
    await queueMail(app, tx, actor, { ...invitation, mailId })
    await recordAccountActivity(tx, actor, 'member_invited', { invitation_id: invitation.id, role })
    return invitation
  })

/** The earlier link works until the new mail is sent. Throws NotFound, Denied, Invalid or TooManyRequests. */
export const resendInvitation = (app: FastifyInstance, actor: Actor, id: number) =>
  asMember(app, actor, async (tx, role, account) => {
    const now = app.now()
    const mailId = randomUUID()
    const [invitation] = await tx
      .update(invitations)
      .set({ mailId, expiresAt: inAWeek(now) })
      .where(pendingIn(actor.accountId, eq(invitations.id, id)))
      .returning()
    if (!invitation) throw new NotFound()
    requireAllowed(role, 'members.invite')
    assertValid({ email: await refusalsOf(app, tx, { role, account }, invitation.email) })
    const others = await countOpen(tx, actor.accountId, now, ne(invitations.id, id))
    if (others >= maxOpen) throw new Invalid({ email: [tooMany] })
    await queueMail(app, tx, actor, { ...invitation, mailId })
    return invitation
  })

/**
 * Sends expired invitations again, oldest first, each on its own, until a limit is met. Skips those to addresses that
 * can't be invited now. Throws NotFound or Denied.
 */
export async function resendExpired(app: FastifyInstance, actor: Actor) {
  const expired = await app.db
    .select({ id: invitations.id })
    .from(invitations)
    .where(pendingIn(actor.accountId, isExpired(app.now())))
    .orderBy(invitations.id)
  let sent = 0
  for (const { id } of expired) {
    try {
      await resendInvitation(app, actor, id)
      sent++
    } catch (error) {
      if (error instanceof TooManyRequests) break
      // Another manager may have revoked it meanwhile.
      if (!(error instanceof Invalid || error instanceof NotFound)) throw error
    }
  }
  return { sent, count: expired.length }
}

type Mailed = { id: number; email: string; mailId: string }

/** Limits mails per address and per sender, more strictly if unverified. The fixed order avoids deadlocks. */
async function queueMail({ mail }: FastifyInstance, tx: Tx, actor: Actor, mailed: Mailed) {
  const { id, email, mailId } = mailed
  if (!(await tryTakeMail(tx, 'invitation_mail', email)))
    throw new Invalid({ email: [text("can't be invited again today")] })
  if ('token' in actor) await take(tx, 'invitation_sent', actor.token.sender)
  else await takeOfInviter(tx, actor.userId)
  await mail.queue(tx, 'account_invitation', { invitationId: id }, { id: mailId })
  await broadcastToMembers(tx, actor.accountId, 'members')
}

async function takeOfInviter(tx: Tx, userId: number) {
  await take(tx, 'invitation_sent', userId)
  const [inviter] = await tx.select({ verified: users.verified }).from(users).where(eq(users.id, userId))
  if (!inviter?.verified) await take(tx, 'invitation_sent_unverified', userId)
}

export const revokeInvitation = (app: FastifyInstance, actor: Actor, id: number) =>
  asMember(app, actor, async (tx, role) => {
    const revoked = await revoke(tx, pendingIn(actor.accountId, eq(invitations.id, id)), actor)
    if (revoked.length === 0) throw new NotFound()
    requireAllowed(role, 'members.invite')
    await requireManagedToken(tx, actor)
    await broadcastRecorded(tx, actor.accountId)
  })

/**
 * For a member who leaves, is removed, or is no manager any more: ends what they let others in by, since they could use
 * it to come back. Of who never was a manager there is nothing.
 */
export async function endManagement(app: FastifyInstance, tx: Tx, actor: Actor, userId: number) {
  const { accountId } = actor
  await revoke(tx, pendingIn(accountId, eq(invitations.inviterId, userId)), actor)
  await endFor(app, tx, 'managementEnded', { accountId, userId, actor })
}

/** For someone who is suspended, or takes their account back: revokes what was sent and made in their name since. */
export async function withdrawSince(
  app: FastifyInstance,
  tx: Tx,
  cause: 'userSuspended' | 'userRestored',
  distrust: Distrust,
) {
  const sent = and(eq(invitations.inviterId, distrust.userId), gte(invitations.createdAt, distrust.since))
  const revoked = await revoke(tx, and(sent, isNull(invitations.acceptedAt)), null)
  const { accountIds } = await endFor(app, tx, cause, distrust)
  for (const id of new Set([...revoked, ...accountIds])) await broadcastRecorded(tx, id)
}

/** Returns the accounts of the revoked invitations. Without a changer, nobody is named, nor their client. */
export async function revoke(tx: Tx, which: SQL | undefined, changer: Changer | null) {
  const { by, source } = changer ? recordedAs(changer) : { by: { actorId: null }, source: { client: noClient } }
  const about = { accountId: sql`gone.account_id`, ...by, invitation_id: sql`gone.id`, role: sql`gone.role` }
  const deletion = sql`gone as (delete from ${invitations} where ${which} returning account_id, id, role)`
  const recorded = await recordEach(tx, 'invitation_revoked', about, { ...source, with: deletion, from: sql`gone` })
  return recorded.map(({ accountId }) => accountId ?? 0)
}
