import { and, eq } from 'drizzle-orm'
import { accounts, activities, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { raw, text } from '../../plugins/languages/index.ts'
import { nameInMail } from '../../plugins/mail/names.ts'

// What mails to owners about their workspace need (mailOwners in mails.ts queues them). Undefined if the workspace is gone,
// or the owner has no verified address.

export type OwnerMailIds = { userId: number; activityId: number }
export type MakerMailIds = OwnerMailIds & { accountId: number; makerId: number }

const ofOwner = (userId: number) => and(eq(users.id, userId), eq(users.verified, true))
const placeOf = ({ name }: { name: string }) => nameInMail(name) ?? text('a workspace')

export async function changeForOwner(db: Database, { userId, activityId }: OwnerMailIds) {
  const [change] = await db
    .select({ user: users, account: accounts, activity: activities })
    .from(activities)
    .innerJoin(accounts, eq(accounts.id, activities.accountId))
    .innerJoin(users, ofOwner(userId))
    .where(eq(activities.id, activityId))
  if (!change) return undefined
  const { createdAt, actorName } = change.activity
  const time = { label: text('Time'), value: raw({ at: createdAt, precision: 'second' }) } as const
  return { ...change, place: placeOf(change.account), actor: nameInMail(actorName ?? ''), time }
}

/** Who made something that goes on without them. */
export async function makerForOwner(db: Database, { userId, accountId, makerId }: MakerMailIds) {
  const [found] = await db
    .select({ user: users, account: accounts })
    .from(accounts)
    .innerJoin(users, ofOwner(userId))
    .where(eq(accounts.id, accountId))
  if (!found) return undefined
  const [maker] = await db.select({ name: users.name }).from(users).where(eq(users.id, makerId))
  const name = maker ? (nameInMail(maker.name) ?? text('Somebody')) : text('a deleted user')
  return { ...found, name, place: placeOf(found.account) }
}
