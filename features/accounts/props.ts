import type { Account, invitations, Role, User } from '../../drizzle/schema.ts'
import { picturePath } from '../../plugins/composition.ts'
import type { Filters } from '../activity/filters.ts'
import type { ActivityProps } from '../activity/props.ts'

/** The owner, while a personal account still has their name and that is somebody else. */
export type Person = { picture: string | null } | null
type Pictured = { picture: string | null; person?: Person }

// Others read it as that person's, and see it with their picture.
const presentPicture = ({ picture, person }: Pictured) => ({
  picture: picturePath(picture ?? person?.picture ?? null),
  ...(person && ({ personal: true } as const)),
})

export type AccountReference = ReturnType<typeof presentReference>
export const presentReference = ({ name, slug, ...sign }: Pictured & Pick<Account, 'name' | 'slug'>) => ({
  name,
  slug,
  ...presentPicture(sign),
})

export type AccountProps = ReturnType<typeof presentAccount>
export const presentAccount = ({ id, ...account }: Pictured & Pick<Account, 'id' | 'name' | 'slug'>) => ({
  id,
  ...presentReference(account),
})

export type InvitedAccount = { account_name: string; account_picture: string | null; account_personal?: true }
export function presentInvited({ name, ...sign }: Pictured & { name: string }): InvitedAccount {
  const { picture, personal } = presentPicture(sign)
  return { account_name: name, account_picture: picture, ...(personal && { account_personal: personal }) }
}

export type OpenInvitation = Omit<InvitedAccount, 'account_picture'> & { id: number; inviter_name: string | null }

type Member = Pick<User, 'name' | 'email' | 'picture'> & {
  id: number
  userId: number
  role: Role
  joinedAt: Date
  secondFactor: boolean
  lastSeenAt: Date | null
  outside: boolean
}

export type MemberProps = ReturnType<typeof presentMember> & Partial<ReturnType<typeof presentMemberToManager>>
export const presentMember = ({ id, userId, name, email, picture, role, joinedAt }: Member) => ({
  id,
  user_id: userId,
  name,
  email,
  picture: picturePath(picture),
  role,
  joined_at: joinedAt.toISOString(),
})

/** Only managers see who has no second factor, who was seen when, and who gets in without a required single sign-on. */
export const presentMemberToManager = (member: Member) => ({
  ...presentMember(member),
  second_factor: member.secondFactor,
  last_seen_at: member.lastSeenAt?.toISOString() ?? null,
  outside: member.outside,
})

export const presentInvitation = ({ id, email, role, expiresAt, createdAt }: typeof invitations.$inferSelect) => ({
  id,
  email,
  role,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
})

export type InvitationProps = ReturnType<typeof presentSentInvitation>
/** For managers, who see who sent it. Nobody is named whose account is gone, or if a program did it. */
export const presentSentInvitation = (sent: typeof invitations.$inferSelect & { inviterName: string | null }) => ({
  ...presentInvitation(sent),
  inviter_name: sent.inviterName,
})

/**
 * Filters: part of a name or address, a role, and whether they have a second factor. Empty matches everyone. Invited
 * addresses are searched by `q` alone.
 */
export type Search = { q: string; role: Role | ''; second_factor: 'yes' | 'no' | ''; sort?: Sort | '' }
/** Instead of the order in which they joined. Only managers see who was active when. */
export type Sort = (typeof sorts)[number]
export const sorts = ['name', 'seen'] as const
export type SearchProps = Search & { found: number; found_invitations: number }

/** What somebody new, or who is alone in an account, does first. */
export type FirstStep = keyof FirstSteps

/** Options extend it by declaration merging, and add to `app.firstSteps`. */
export interface FirstSteps {
  email: true
  workspace: true
  invitation: true
}

type Owners = { count: number; names: string[] }

/** For managers. Up to three owners are named, and members without a second factor counted. */
export type Figures = {
  invitations: { open: number; expired: number }
  owners: Owners
  without_factor: number
  requires_second_factor: boolean
}

type Face = { user_id: number; name: string; picture: string | null }
type People = { faces: Face[]; owners: Owners; joinedAt: Date }

export const presentPeople = ({ faces, owners, joinedAt }: People) => ({
  faces: faces.map((person) => ({ ...person, picture: picturePath(person.picture) })),
  owners,
  joined_at: joinedAt.toISOString(),
})

export type InAccount = { account: AccountProps; membership: { role: Role; personal?: true } }

declare module '../../plugins/inertia/pages.ts' {
  interface SharedProps {
    /** The account switcher, by name. Only on signed-in pages, and once until the list changes. */
    accounts?: AccountReference[]
    /** Of a person with a verified address, newest first. Only on signed-in pages, and once until the list changes. */
    open_invitations?: OpenInvitation[]
    /** The slug of the account created at sign-up, if it is still theirs. Sent only on request. */
    personal_account?: string | null
  }
  interface Pages {
    'home/index': { invitation_only?: true; verified_email?: string }
    'accounts/new': Record<never, never>
    /**
     * Deferred: for everyone the count and the first steps, for managers figures and activity, for others the people.
     */
    'accounts/show': InAccount & {
      members_count?: number
      first_steps?: { id: FirstStep; done: boolean }[]
      /** In a personal account: whether its user is in no other, and may be asked for their team. */
      asks_for_team?: boolean
      figures?: Figures
      latest_activities?: ActivityProps[]
      people?: ReturnType<typeof presentPeople>
    }
    'accounts/settings': InAccount & {
      can_manage: boolean
      /** How many people lose access if the owner deletes it, whom it is sent to on request. */
      losing?: number
    }
    /** Members in the order they joined, and for managers pending invitations, newest first: both page by page. */
    'accounts/members': InAccount & {
      members: MemberProps[]
      search?: SearchProps
      /** Sent only on request, since a page of the list does not show them. */
      totals?: { members: number; invitations: number; sole_owner: boolean }
      invitations?: InvitationProps[]
      /** For managers: how many of all pending invitations have expired. */
      expired_invitations?: number
      can_manage: boolean
    }
    'accounts/activity': InAccount & {
      activities: ActivityProps[]
      kind: 'members' | 'account' | null
      filters: Filters
      people: { id: number; name: string }[]
    }
    'invitations/void': Record<never, never>
    'invitations/show': InvitedAccount & {
      inviter_name: string | null
      email: string
      signed_in_as: string | null
      expired: boolean
      /** Sent only on request. `joined` is the account's slug if the current user has accepted. */
      details?: { role: Role; expires_at: string; needs: string[]; joined: string | null }
    }
  }
}

/**
 * What members are told by live updates: that something changed, and what else a message holds. Features of a product
 * add theirs by declaration merging.
 */
export interface AccountMessages {
  /** Members or invitations. */
  members: object
  account: object
  activity: object
  picture: { user_id: number }
  verified: { user_id: number }
  /** `by_token`: a program did it, which may be called like a person. */
  removed: { user_id: number; by: string; by_token?: boolean }
  deleted: { by: string }
}

export type AccountMessageType = keyof AccountMessages
