import type { Account, invitations, Role } from '../../drizzle/schema.ts'
import type { membersOf } from '../accounts/members.ts'
import type { Activity } from '../activity/lists.ts'
import { presentActivity as presentToPages } from '../activity/props.ts'
import type { Caller } from '../tokens/tokens.ts'

// What the API shows is listed here and in its schemas: a page may learn more without telling programs.

export const presentUser = ({ id, name, email, verified, createdAt, updatedAt }: Caller['user']) => ({
  id,
  name,
  email,
  verified,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
})

export type Place = Pick<Account, 'id' | 'name' | 'slug' | 'createdAt'> & { role: Role }

export const presentAccount = ({ id, name, slug, role, createdAt }: Place) => ({
  id,
  name,
  slug,
  role,
  created_at: createdAt.toISOString(),
})

type Member = Awaited<ReturnType<typeof membersOf>>['members'][number]

export const presentMember = ({ id, userId, name, email, role, joinedAt }: Member) => ({
  id,
  user_id: userId,
  name,
  email,
  role,
  joined_at: joinedAt.toISOString(),
})

export const presentInvitation = ({ id, email, role, createdAt, expiresAt }: typeof invitations.$inferSelect) => ({
  id,
  email,
  role,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
})

export function presentActivity(activity: Activity) {
  const { id, type, actor_name, details, created_at } = presentToPages(activity)
  return { id, type, actor_name, details: { ...details }, created_at }
}
