import type { Filters } from '../activity/filters.ts'
import type { OwnActivityProps } from '../activity/props.ts'
import type { Provider, SessionProps } from '../auth/props.ts'

export type Departure = { deleted: { name: string }[]; inherited: { name: string; successor: string }[] }

declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    'settings/profile': { departure?: Departure }
    /** The language that the person chose. Null if the browser decides. */
    'settings/appearance': { language: string | null }
    'settings/password': Record<never, never>
    'settings/email': Record<never, never>
    'settings/security': Record<never, never>
    /** `providers` names the sites that people sign in with. */
    'settings/sessions': { sessions: SessionProps[]; providers: Provider[] }
    'settings/activity': {
      activities: OwnActivityProps[]
      /** Sessions that still exist, except the current one, and the sign-ins that began them. */
      open_sessions: { id: string; activity_id: number }[]
      providers: Provider[]
      /** For an hour after the address was taken back: when it was lost, and what was ended, in words. */
      restored?: { since: string; ended: string[] }
      kind: 'sign_ins' | 'security' | 'accounts' | null
      filters: Filters
    }
  }
}
