import type { invitationLinks } from '../../drizzle/tables/invitation-link.ts'
import type { InvitedAccount } from '../accounts/props.ts'

export type InvitationLinkProps = NonNullable<ReturnType<typeof presentInvitationLink>>

export const presentInvitationLink = (link: typeof invitationLinks.$inferSelect | undefined) =>
  link ? { created_at: link.createdAt.toISOString(), expires_at: link.expiresAt.toISOString(), uses: link.uses } : null

declare module '../../plugins/inertia/pages.ts' {
  interface Flash {
    invitation_link?: string
    /** With `Member removed`: the link ended, too, since that member may know it. */
    invitation_link_ended?: true
  }
  interface PageParts {
    /** For managers. */
    'invitation-link': { 'accounts/members': { invitation_link?: InvitationLinkProps | null } }
  }
  interface Pages {
    /** `invitation_only` if nobody can sign up with the link. */
    'invitations/join': Omit<InvitedAccount, 'account_personal'> & {
      inviter_name: string
      signed_in_as: string | null
      expired: boolean
      invitation_only?: true
    }
  }
}
