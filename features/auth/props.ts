import type { sessions, users } from '../../drizzle/schema.ts'
import { methodOf } from './methods.ts'

/** Another site that people can sign in with, and the name on its button. */
export type Provider = { id: string; name: string }

/** What options add as a second step. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by options
export interface SecondStepNames {}

/** Which second steps somebody has. */
export type Provable = { [Name in keyof SecondStepNames]: boolean }

export type UserProps = ReturnType<typeof presentUser>
export type AuthProps = { user: UserProps | null; session: { id: string } | null }

type User = Pick<typeof users.$inferSelect, 'id' | 'name' | 'email' | 'verified' | 'createdAt' | 'updatedAt'>

export const presentUser = ({ id, name, email, verified, createdAt, updatedAt }: User) => ({
  id,
  name,
  email,
  verified,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
})

export type SessionProps = ReturnType<typeof presentSession>

export const presentSession = (session: typeof sessions.$inferSelect) => ({
  id: session.token,
  user_agent: session.userAgent,
  ip_address: session.ipAddress,
  method: methodOf(session),
  created_at: session.createdAt.toISOString(),
  last_seen_at: session.lastSeenAt.toISOString(),
})

type Invitation = { token: string; account: { name: string }; person: object | null; invitation: { email: string } }

export type GuestInvitationProps = ReturnType<typeof presentGuestInvitation>
export const presentGuestInvitation = ({ token, account, person, invitation }: Invitation) => ({
  token,
  account_name: account.name,
  ...(person && ({ account_personal: true } as const)),
  email: invitation.email,
})

/** For guests: whether sign-up needs an invitation, and the one that they follow. */
export const presentForGuest = (
  { site }: { site: { invitationOnly: boolean } },
  invitation: Invitation | undefined,
  returnTo: string | undefined,
) => ({
  ...(site.invitationOnly && ({ invitation_only: true } as const)),
  ...(invitation && { invitation: presentGuestInvitation(invitation) }),
  ...(returnTo && { return_to: returnTo }),
})
type GuestProps = ReturnType<typeof presentForGuest>

/** Where a sign-in leads, as links to its pages say it. */
export type SignInQuery = { invitation?: string | undefined; return_to?: string | undefined }

declare module '../../plugins/inertia/pages.ts' {
  interface SharedProps {
    auth: AuthProps
    /** On pages that ask for the current password, for people who have none: whether their session is recent enough. */
    without_password?: { recent: boolean }
    /** One's own picture. Only on signed-in pages, and once until it changes. */
    picture?: string | null
  }
  interface Pages {
    /** `last_method`: how somebody last signed in with this browser, as sessions have it. */
    'auth/sign-in': GuestProps & { last_method?: string }
    'auth/sign-up': GuestProps
    /** `email` is that of whoever signs in, which the form says, too: another tab may have begun another sign-in. */
    'auth/second-factor': Provable & { email: string; return_to?: string }
    'identity/email-change': { sid: string; email: string }
    'identity/not-mine': { sid: string; email: string }
    'identity/password-reset/new': { invitation?: string }
    'identity/password-reset/edit': { sid: string; email: string }
  }
}
