import { randomBytes } from 'node:crypto'
import { eq, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, presences, users } from '../../drizzle/schema.ts'
import { pictures } from '../../drizzle/tables/pictures.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { publish } from '../../plugins/live/broadcast.ts'
import { sessionTransaction } from '../../plugins/security/session-transaction.ts'
import { type Actor, asAllowed } from '../accounts/access.ts'
import { broadcastToMembers, broadcastUserChange, recordAccountActivity } from '../accounts/channel.ts'
import { record } from '../activity/index.ts'
import type { Session } from '../auth/reauthentication/index.ts'

/** The bytes of a new picture, or null to remove the present one. */
export type NewPicture = Buffer | null

export const changePicture = (db: Database, { userId, token }: Session, bytes: NewPicture) =>
  sessionTransaction(db, token, async (tx) => {
    const [user] = await tx.select({ picture: users.picture }).from(users).where(eq(users.id, userId)).for('update')
    if (!user || (bytes === null && user.picture === null)) return
    const picture = await replace(tx, { userId }, eq(pictures.userId, userId), bytes)
    await tx.update(users).set({ picture }).where(eq(users.id, userId))
    await record(tx, 'picture_changed', { userId, removed: picture === null })
    await announcePresence(tx, userId)
    await broadcastUserChange(tx, userId, 'picture')
  })

export const changeAccountPicture = (app: FastifyInstance, actor: Actor, bytes: NewPicture) =>
  asAllowed(app, actor, 'workspace.picture', async (tx) => {
    const { accountId } = actor
    const [account] = await tx.select({ picture: accounts.picture }).from(accounts).where(eq(accounts.id, accountId))
    if (bytes === null && account?.picture === null) return
    const picture = await replace(tx, { accountId }, eq(pictures.accountId, accountId), bytes)
    await tx.update(accounts).set({ picture }).where(eq(accounts.id, accountId))
    await recordAccountActivity(tx, actor, 'picture_changed', { removed: picture === null })
    await broadcastToMembers(tx, accountId, 'account')
  })

/** Sends presence again where the user is. */
async function announcePresence(tx: Tx, userId: number) {
  const isHere = eq(presences.userId, userId)
  for (const { room } of await tx.selectDistinct({ room: presences.identifier }).from(presences).where(isHere))
    await publish(tx, { kind: 'presence', room, tab_id: null })
}

type Owner = { userId: number } | { accountId: number }

/** Returns the key. The owner must be locked. */
async function replace(tx: Tx, owner: Owner, isOwners: SQL, bytes: NewPicture) {
  await tx.delete(pictures).where(isOwners)
  if (bytes === null) return null
  const key = randomBytes(16).toString('base64url')
  await tx.insert(pictures).values({ key, bytes, ...owner })
  return key
}

export async function pictureAsUrl(db: Database, userId: number) {
  const [picture] = await db.select({ bytes: pictures.bytes }).from(pictures).where(eq(pictures.userId, userId))
  return picture ? `data:image/webp;base64,${picture.bytes.toString('base64')}` : null
}
