import type { ComponentType, ReactNode } from 'react'
import type { MemberProps } from '../features/accounts/props.ts'
import type { Right } from '../features/accounts/rights.ts'
import type { Path } from '../features/paths.ts'
import type { PageProps } from '../plugins/inertia/pages.ts'
import type { Text } from '../plugins/languages/text.ts'

// Where options and features of the product show something on pages of the core, and what they get there.

/** What began before a guest signs in or up: the invitation that they follow, and the page that they asked for. */
export type GuestContext = { invitation: string | undefined; returnTo: string | undefined }

export type GuestPage = PageProps<'auth/sign-in'> | PageProps<'auth/sign-up'>

/** A way to sign in besides a password. The page says where it stands: the one that was used last before all others. */
export type Way = {
  /** What sessions call it, or the provider. */
  id: string
  /** Of the provider. */
  name?: string
  /** To sign up, too, so it is always in sight. */
  signsUp?: true
  /** What browsers may offer in the field for the address, besides addresses. */
  autoComplete?: 'webauthn'
  /** In the form: it may read the address that is typed there. */
  Button: ComponentType<WayProps>
}

export type WayProps = GuestContext & { way: Way; verb: 'Sign in' | 'Sign up' }

/** What the page of the second step tells each step, and what they tell each other. */
export type SecondStepProps = {
  page: PageProps<'auth/second-factor'>
  to: Path
  /** Which of its ways a step shows, if it has several. */
  way: string | undefined
  onWay(way: string | undefined): void
  /** What every form of the page sends along. */
  along: Record<string, string>
  onAlong(along: Record<string, string>): void
}

/** On pages behind the sign-in, and on that of the second step. */
export interface Places {
  /** Above the summary. */
  'settings/security:first': PageProps<'settings/security'>
  'auth/second-factor:lead': SecondStepProps
  'auth/second-factor': SecondStepProps
  'auth/second-factor:other': SecondStepProps
  'settings/security': PageProps<'settings/security'>
  'settings/profile': PageProps<'settings/profile'>
  'settings/email': PageProps<'settings/email'>
  'accounts/settings': PageProps<'accounts/settings'>
  /** Below the address: what the workspace asks of its members. */
  'accounts/settings:rules': PageProps<'accounts/settings'>
  /** The room of the product, the first that members see of it. */
  'accounts/show:main': PageProps<'accounts/show'>
  /** Beside it. */
  'accounts/show': PageProps<'accounts/show'>
  /** In the dialog that invites people. */
  'accounts/members:invite': PageProps<'accounts/members'>
  /** Behind the name of a member. */
  'accounts/members:member': MemberProps
  /** Around the field for the current password, in a form that may have no other field. */
  'current-password': { alone: boolean; children: ReactNode }
  /** In the menu of the user. */
  menu: Record<never, never>
}

export type PartsOf<All> = { [Place in keyof All]?: ComponentType<All[Place]> }

/** A tab of a workspace, for all members or those with the right. */
export type WorkspaceTab = {
  name: Text
  path(slug: string): { url: string }
  right?: Right
  /** Nobody's personal workspace has it. */
  shared?: true
  /** Of options that are set up once: beside the settings, where others stand beside the members. */
  besideSettings?: true
}
