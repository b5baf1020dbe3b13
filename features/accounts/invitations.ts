import { randomUUID } from 'node:crypto'
import { and, count, desc, eq, gt, isNull, lt, lte, ne } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { invitations, memberships, type Role, users } from '../../drizzle/schema.ts'
import { type Database, pageOf, type Tx } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import { assertValid, Denied, Invalid } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { isEmailAddress, normalizeEmail } from '../../plugins/mail/email-address.ts'
import { take, tryTakeMail } from '../../plugins/security/limits/index.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import { recordIn } from './history.ts'
import { type Actor, lockRole, manages, placeOf } from './memberships.ts'
import { inAWeek } from './received-invitations.ts'

type App = Pick<FastifyInstance, 'db' | 'mail' | 'now'>
type Invitee = { email: string; role: Role }

const invited = text('has already been invited')
const tooMany = text('too many invitations are open')
const maxOpen = 500 // of an account
const pageSize = 50

/**
 * A page of an account's pending and expired invitations, newest first, plus one row that shows whether another page
 * follows. Accepted ones are history.
 */
export const selectInvitations = (db: Database, accountId: number, before?: number) =>
  db
    .select()
    .from(invitations)
    .where(
      and(
        eq(invitations.accountId, accountId),
        isNull(invitations.acceptedAt),
        before === undefined ? undefined : lt(invitations.id, before),
      ),
    )
    .orderBy(desc(invitations.id))
    .limit(pageSize + 1)

/** A page of invitations and the position where the next one starts. */
export const invitationsOf = async (db: Database, accountId: number, before?: number) =>
  pageOf(await selectInvitations(db, accountId, before), pageSize)

/** Validates an invitation. Throws Invalid. */
export async function checkInvitee(
  { db, now }: App,
  accountId: number,
  input: { email: string; role: string },
): Promise<Invitee> {
  const email = normalizeEmail(input.email)
  const role = (['admin', 'member'] as const).find((name) => name === input.role)
  assertValid({
    email: await messages(db, accountId, email, now()),
    role: role ? [] : [text('is not included in the list')],
  })
  return { email, role: role ?? 'member' }
}

/**
 * Creates an invitation and queues its mail. Throws NotFound, Denied, TooManyRequests, or Invalid if the address was
 * invited concurrently.
 */
export function invite({ db, mail, now }: App, actor: Actor, { email, role }: Invitee) {
  return whileSignedIn(db, actor.sessionToken, async (tx) => {
    await requireManager(tx, actor)
    if (await isFull(tx, actor.accountId, now())) throw new Invalid({ email: [tooMany] })
    const expired = and(eq(invitations.email, email), isNull(invitations.acceptedAt), lte(invitations.expiresAt, now()))
    await tx.delete(invitations).where(and(eq(invitations.accountId, actor.accountId), expired))
    const mailId = randomUUID()
    const values = {
      accountId: actor.accountId,
      inviterId: actor.userId,
      email,
      role,
      mailId,
      expiresAt: inAWeek(now()),
    }
    const [invitation] = await tx.insert(invitations).values(values).onConflictDoNothing().returning()
    if (!invitation) throw new Invalid({ email: [invited] })
    await countMail(tx, actor, email)
    await Promise.all([
      mail.queue(tx, 'account_invitation', { invitationId: invitation.id }, { id: mailId }),
      emit(tx, 'members_changed', actor.accountId),
      recordIn(tx, 'member_invited', { ...placeOf(actor), invitation_id: invitation.id, role }),
    ])
    return invitation
  })
}

/**
 * Queues the mail again. The earlier link stops working once the new mail is sent. Throws NotFound, Denied, Invalid or
 * TooManyRequests.
 */
export function resendInvitation({ db, mail, now }: App, actor: Actor, invitationId: number) {
  return whileSignedIn(db, actor.sessionToken, async (tx) => {
    const role = await lockRole(tx, actor)
    const mailId = randomUUID()
    const values = { mailId, expiresAt: inAWeek(now()) }
    const [invitation] = await tx.update(invitations).set(values).where(pendingOf(actor, invitationId)).returning()
    if (!invitation) throw new NotFound()
    if (!manages(role)) throw new Denied()
    // It may have been expired, and is open again.
    if (await isFull(tx, actor.accountId, now(), invitationId)) throw new Invalid({ email: [tooMany] })
    await countMail(tx, actor, invitation.email)
    await mail.queue(tx, 'account_invitation', { invitationId }, { id: mailId })
    await emit(tx, 'members_changed', actor.accountId)
    return invitation
  })
}

/**
 * Limits mails per address and per sender, with a lower limit for senders who have not verified their own address. The
 * fixed order avoids deadlocks.
 */
async function countMail(tx: Tx, { userId }: Actor, email: string) {
  if (!(await tryTakeMail(tx, 'invitation_mail', email)))
    throw new Invalid({ email: [text("can't be invited again today")] })
  await take(tx, 'invitation_sent', userId)
  const [inviter] = await tx.select({ verified: users.verified }).from(users).where(eq(users.id, userId))
  if (!inviter?.verified) await take(tx, 'invitation_sent_unverified', userId)
}

/** Deletes the invitation, which disables its link. Throws NotFound or Denied. */
export function revokeInvitation({ db }: App, actor: Actor, invitationId: number) {
  return whileSignedIn(db, actor.sessionToken, async (tx) => {
    const role = await lockRole(tx, actor)
    const [revoked] = await tx.delete(invitations).where(pendingOf(actor, invitationId)).returning()
    if (!revoked) throw new NotFound()
    if (!manages(role)) throw new Denied()
    await Promise.all([
      emit(tx, 'members_changed', actor.accountId),
      recordIn(tx, 'invitation_revoked', { ...placeOf(actor), invitation_id: revoked.id, role: revoked.role }),
    ])
  })
}

async function messages(db: Database, accountId: number, email: string, now: Date) {
  const blank = email.trim() === '' ? [text("can't be blank")] : []
  if (!isEmailAddress(email)) return [...blank, text('is invalid')]

  const [member] = await db
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.accountId, accountId), eq(users.email, email)))
  if (member) return [text('is already a member')]

  const pending = and(eq(invitations.email, email), isNull(invitations.acceptedAt), gt(invitations.expiresAt, now))
  const [invitation] = await db
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(eq(invitations.accountId, accountId), pending))
  if (invitation) return [invited]
  return (await isFull(db, accountId, now)) ? [tooMany] : []
}

/**
 * Whether the account has as many open invitations as it may, `except` not counted. Holds until the end of the
 * transaction if the account is locked.
 */
async function isFull(db: Database | Tx, accountId: number, now: Date, except = 0) {
  const open = and(
    eq(invitations.accountId, accountId),
    isNull(invitations.acceptedAt),
    gt(invitations.expiresAt, now),
    ne(invitations.id, except),
  )
  const [row] = await db.select({ open: count() }).from(invitations).where(open)
  return (row?.open ?? 0) >= maxOpen
}

async function requireManager(tx: Tx, actor: Actor) {
  if (!manages(await lockRole(tx, actor))) throw new Denied()
}

const pendingOf = ({ accountId }: Actor, invitationId: number) =>
  and(eq(invitations.id, invitationId), eq(invitations.accountId, accountId), isNull(invitations.acceptedAt))
