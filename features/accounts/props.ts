import type { Account, invitationLinks, invitations, Role, User } from '../../drizzle/schema.ts'
import type { Filters } from '../activity/filters.ts'
import type { ActivityProps } from '../activity/props.ts'
import { picturePath } from '../paths.ts'

/** The owner, while a personal account still has their name and they are not the reader. */
export type Person = { picture: string | null } | null
type Pictured = { picture: string | null; person?: Person }

// Others read it as that person's, and see it with their picture.
const presentSign = ({ picture, person }: Pictured) => ({
  picture: picturePath(picture ?? person?.picture ?? null),
  ...(person && ({ personal: true } as const)),
})

export type AccountReference = ReturnType<typeof presentReference>
export const presentReference = ({ name, slug, ...sign }: Pictured & Pick<Account, 'name' | 'slug'>) => ({
  name,
  slug,
  ...presentSign(sign),
})

export type AccountProps = ReturnType<typeof presentAccount>
export const presentAccount = ({ id, ...account }: Pictured & Pick<Account, 'id' | 'name' | 'slug'>) => ({
  id,
  ...presentReference(account),
})

export type InvitedAccount = { account_name: string; account_picture: string | null; account_personal?: true }
export function presentInvited({ name, ...sign }: Pictured & { name: string }): InvitedAccount {
  const { picture, personal } = presentSign(sign)
  return { account_name: name, account_picture: picture, ...(personal && { account_personal: personal }) }
}

export type OpenInvitation = Omit<InvitedAccount, 'account_picture'> & { id: number; inviter_name: string | null }

type Member = Pick<User, 'name' | 'email' | 'picture'> & {
  id: number
  userId: number
  role: Role
  joinedAt: Date
  secondFactor: boolean
  outside: boolean
}

export type MemberProps = ReturnType<typeof presentMember> & { second_factor?: boolean; outside?: boolean }
export const presentMember = ({ id, userId, name, email, picture, role, joinedAt }: Member) => ({
  id,
  user_id: userId,
  name,
  email,
  picture: picturePath(picture),
  role,
  joined_at: joinedAt.toISOString(),
})

/** Only managers see who has no second factor, and who gets in without single sign-on where it is required. */
export const presentMemberToManager = (member: Member) => ({
  ...presentMember(member),
  second_factor: member.secondFactor,
  outside: member.outside,
})

export type InvitationProps = ReturnType<typeof presentInvitation>
export const presentInvitation = ({ id, email, role, expiresAt, createdAt }: typeof invitations.$inferSelect) => ({
  id,
  email,
  role,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
})

export type InvitationLinkProps = NonNullable<ReturnType<typeof presentInvitationLink>>
export const presentInvitationLink = (link: typeof invitationLinks.$inferSelect | undefined) =>
  link ? { created_at: link.createdAt.toISOString(), expires_at: link.expiresAt.toISOString(), uses: link.uses } : null

/** Filters: part of a name or address, a role, and whether they have a second factor. Empty matches everyone. */
export type Search = { q: string; role: Role | ''; second_factor: 'yes' | 'no' | '' }
export type SearchProps = Search & { found: number }

/** Members who have neither an authenticator app nor a passkey: how many of how many, and up to ten names. */
export type WithoutFactor = { members: number; lacking: number; names: string[] }

export type InAccount = { account: AccountProps; membership: { role: Role } }

declare module '../../plugins/inertia/pages.ts' {
  interface SharedProps {
    /** The account switcher, by name. Only on signed-in pages, and once until the list changes. */
    accounts?: AccountReference[]
    /** Of a person with a verified address, newest first. Only on signed-in pages, and once until the list changes. */
    open_invitations?: OpenInvitation[]
    /** The slug of the account created at sign-up, if it is still theirs. Sent only on request. */
    personal_account?: string | null
  }
  interface Flash {
    invitation_link?: string
    /** With `Member removed`: the link ended, too, since that member may know it. */
    invitation_link_ended?: true
  }
  interface Pages {
    'home/index': { invitation_only?: true; verified_email?: string }
    'accounts/new': Record<never, never>
    'accounts/show': InAccount & {
      members_count?: number
      first_steps?: { personal: boolean; named: boolean; invited: boolean }
      latest_activities?: ActivityProps[]
    }
    /** `require_second_factor` and `without_factor` are sent to owners only, the latter on request. */
    'accounts/settings': InAccount & {
      can_manage: boolean
      require_second_factor?: boolean
      without_factor?: WithoutFactor
    }
    /** Members in the order they joined, and for managers pending invitations, newest first: both page by page. */
    'accounts/members': InAccount & {
      members: MemberProps[]
      search?: SearchProps
      /** Sent only on request, since a page of the list does not show them. */
      totals?: { members: number; sole_owner: boolean }
      invitations?: InvitationProps[]
      invitation_link?: InvitationLinkProps | null
      can_manage: boolean
    }
    'accounts/activity': InAccount & {
      activities: ActivityProps[]
      kind: 'members' | 'account' | null
      filters: Filters
      people: { id: number; name: string }[]
    }
    /** `invitation_only` if nobody can sign up with the link. */
    'invitations/join': Omit<InvitedAccount, 'account_personal'> & {
      inviter_name: string
      signed_in_as: string | null
      expired: boolean
      invitation_only?: true
    }
    'invitations/show': InvitedAccount & {
      inviter_name: string | null
      email: string
      signed_in_as: string | null
      expired: boolean
      /** Sent only on request. `joined` is the account's slug if the viewer has accepted. */
      details?: { role: Role; expires_at: string; second_factor: boolean; joined: string | null }
    }
  }
}
