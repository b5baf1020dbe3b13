import { randomUUID } from 'node:crypto'
import { eq, or, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, activities, invitations, memberships, sessions, users } from '../../drizzle/schema.ts'
import { mintInvitation } from '../../features/accounts/received-invitations.ts'

const hourMs = 3_600_000

/** As long as names may be, without a place to break a line. */
export const longName = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(8).slice(0, 255)
export const longEmail = `${'wolfeschlegel'.repeat(4)}@${'steinhausenbergerdorff'.repeat(2)}.example`
/** The path of the personal account of someone with this name. */
export const longPath = `/${longName.slice(0, 40).toLowerCase()}`

/** Leaves nothing in the activity of a person and their account. */
export const emptyActivity = (app: FastifyInstance, userId: number, accountId: number) =>
  app.db.delete(activities).where(or(eq(activities.userId, userId), eq(activities.accountId, accountId)))

/** Leaves the creation of the account as the only activity of a person. */
export const oneActivity = (app: FastifyInstance, userId: number) =>
  app.db.delete(activities).where(sql`user_id = ${userId} and type <> 'account_created'`)

/** Makes the sessions of a person older than the policy allows. */
export const outlive = (app: FastifyInstance, userId: number) =>
  app.db.update(sessions).set({ lastSeenAt: sql`now() - interval '399 days'` }).where(eq(sessions.userId, userId))

/** Gives a person with a long name a long history, and company whose names are as long. */
export async function fillLong(app: FastifyInstance, userId: number, accountId: number) {
  const accountName = longName.slice(0, 60)
  const from = { userId, accountId, actorName: longName, ipAddress: '2001:db8:85a3:8d3:1319:8a2e:370:7348' }
  const userAgent = `${longName}/1.0`
  const types = [
    { type: 'role_changed', details: { name: longName, account_name: accountName, from: 'member', to: 'admin' } },
    { type: 'account_renamed', details: { account_name: accountName, from: accountName, to: accountName } },
    { type: 'member_invited', details: { account_name: accountName, email: longEmail, role: 'member' } },
    { type: 'passkey_added', accountId: null, actorId: userId, details: { passkey_name: longName.slice(0, 60) } },
    { type: 'signed_in', accountId: null, actorId: userId, details: {} },
  ] as const
  await app.db.insert(activities).values(
    Array.from({ length: 70 }, (_, index) => {
      const at = new Date(Date.now() - (70 - index) * 3 * hourMs)
      return { ...from, userAgent, ...(types[index % types.length] ?? types[0]), createdAt: at }
    }),
  )
  await app.db.insert(sessions).values({ token: randomUUID(), userId, userAgent, ipAddress: from.ipAddress })

  const [other] = await app.db
    .insert(users)
    .values({ name: longName, email: `other-${longEmail}`, passwordDigest: 'none' })
    .returning({ userId: users.id })
  if (other) await app.db.insert(memberships).values({ ...other, accountId, role: 'admin' })
  const expiresAt = new Date(Date.now() + 100 * hourMs)
  const invited = [...Array.from({ length: 119 }, (_, index) => `invited-${index + 1}@example.com`), longEmail]
  await app.db
    .insert(invitations)
    .values(invited.map((email) => ({ accountId, inviterId: userId, email, role: 'member' as const, expiresAt })))
}

/** Invites a person with an account to another one. Also returns the token of an invitation that has expired. */
export async function invite(app: FastifyInstance, inviterId: number, email: string) {
  const accountId = await open(app, 'Globex', {})
  const expiresAt = new Date(Date.now() + 100 * hourMs)
  const rows = await app.db
    .insert(invitations)
    .values(
      [email, 'slow@example.com'].map((to) => ({
        accountId,
        inviterId,
        email: to,
        role: 'member' as const,
        expiresAt,
      })),
    )
    .returning()
  const [own, expired] = await Promise.all(rows.map(({ id }) => mintInvitation(app, id, randomUUID())))
  await app.db.update(invitations).set({ expiresAt: new Date() }).where(eq(invitations.email, 'slow@example.com'))
  return { own: own?.token ?? '', expired: expired?.token ?? '' }
}

/** Has a person belong to an account that requires a second factor. */
export async function requireFactor(app: FastifyInstance, userId: number) {
  const accountId = await open(app, 'Vault', { requireSecondFactor: true })
  await app.db.insert(memberships).values({ accountId, userId, role: 'member' })
}

async function open(app: FastifyInstance, name: string, more: { requireSecondFactor?: boolean }) {
  const [account] = await app.db
    .insert(accounts)
    .values({ name, slug: name.toLowerCase(), ...more })
    .returning()
  return account?.id ?? 0
}
