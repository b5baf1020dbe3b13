import type { Filters } from '../activity/filters.ts'
import type { OwnActivityProps } from '../activity/props.ts'
import type { IdentityProps, PasskeyProps, Provider, SessionProps, TokenProps } from '../auth/props.ts'
import type { SecondFactorProps } from '../second-factor/props.ts'
import type { SsoIdentityProps } from '../single-sign-on/props.ts'

export type Departure = { deleted: { name: string }[]; inherited: { name: string; successor: string }[] }

declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    'settings/profile': { departure?: Departure }
    /** The language that the person chose. Null if the browser decides. */
    'settings/appearance': { language: string | null }
    'settings/password': Record<never, never>
    'settings/email': Record<never, never>
    'settings/security': {
      second_factor: SecondFactorProps | null
      passkeys: PasskeyProps[]
      identities: IdentityProps[]
      /** Workspaces whose single sign-on signs the person in. */
      sso: SsoIdentityProps[]
      providers: Provider[]
      trusted_browsers: number
      /** The provider that this person came from before they signed in. */
      connectable?: Provider
      /** Workspaces that stay closed to this person until they set up a second factor. */
      required_by: { name: string; slug: string }[]
    }
    /** Newest first. Expired ones stay for a month. */
    'settings/tokens': { tokens: TokenProps[] }
    /** `providers` names the sites that people sign in with. */
    'settings/sessions': { sessions: SessionProps[]; providers: Provider[] }
    'settings/activity': {
      activities: OwnActivityProps[]
      /** Sessions that still exist, except the current one, and the sign-ins that began them. */
      open_sessions: { id: string; activity_id: number }[]
      providers: Provider[]
      kind: 'sign_ins' | 'security' | 'accounts' | null
      filters: Filters
    }
  }
  interface Flash {
    /** A token, right after it was created. */
    token?: string
  }
}
