import type { accounts, Role } from '../../drizzle/schema.ts'
import type { ActivityProps } from '../activity/props.ts'

export type AccountProps = ReturnType<typeof presentAccount>
export const presentAccount = ({ id, name, slug }: Pick<typeof accounts.$inferSelect, 'id' | 'name' | 'slug'>) => ({
  id,
  name,
  slug,
})

export type AccountReference = { name: string; slug: string }

type Member = { id: number; userId: number; name: string; email: string; role: Role; joinedAt: Date }

export type MemberProps = ReturnType<typeof presentMember>
export const presentMember = ({ id, userId, name, email, role, joinedAt }: Member) => ({
  id,
  user_id: userId,
  name,
  email,
  role,
  joined_at: joinedAt.toISOString(),
})

type Invitation = { id: number; email: string; role: Role; expiresAt: Date; createdAt: Date }

export type InvitationProps = ReturnType<typeof presentInvitation>
export const presentInvitation = ({ id, email, role, expiresAt, createdAt }: Invitation) => ({
  id,
  email,
  role,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
})

/** Whom the list of members was asked for, and how many fit. */
export type SearchProps = { q: string; role: Role | ''; found: number }

/** A page of an account: which, and what its viewer is there. */
type InAccount = { account: AccountProps; membership: { role: Role } }

declare module '../../plugins/inertia/pages.ts' {
  interface SharedProps {
    /** The switcher's list, by name; only signed-in pages carry it. */
    accounts?: AccountReference[]
  }
  interface Pages {
    'home/index': { invitation_only?: true }
    'accounts/new': Record<never, never>
    'accounts/show': InAccount & {
      members_count?: number
      /** Only when asked for. */
      first_steps?: { personal: boolean; named: boolean; invited: boolean }
    }
    /** What is required of everybody, owners decide. */
    'accounts/settings': InAccount & { can_manage: boolean; require_second_factor?: boolean }
    /** Members by joining, page by page; pending invitations for managers only. */
    'accounts/members': InAccount & {
      members: MemberProps[]
      /** Only when somebody is looked for. */
      search?: SearchProps
      /** Only when asked for: what a page of the list does not tell. */
      totals?: { members: number; sole_owner: boolean }
      invitations?: InvitationProps[]
      can_manage: boolean
    }
    /** For managers: what happened, the latest first, page by page. */
    'accounts/activity': InAccount & { activities: ActivityProps[]; kind: 'members' | 'account' | null }
    'invitations/show': {
      account_name: string
      inviter_name: string | null
      email: string
      signed_in_as: string | null
      expired: boolean
      /** Only when asked for. `joined` is the slug for whoever has accepted it. */
      details?: { role: Role; expires_at: string; joined: string | null }
    }
  }
}
