import type { Offer, SecurityProps } from '../../plugins/security/contract.ts'
import type { Filters } from '../activity/filters.ts'
import type { OwnActivityProps } from '../activity/props.ts'
import type { SessionProps } from '../auth/props.ts'

/** What becomes of one's workspaces if one leaves. */
export type Departure = { deleted: { name: string }[]; inherited: { name: string; successor: string }[] }

declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    'settings/profile': { departure?: Departure }
    'settings/password': Record<never, never>
    'settings/email': Record<never, never>
    /** `required_by`: workspaces that stay closed to this person until they set up a second factor. */
    'settings/security': SecurityProps & { required_by: { name: string; slug: string }[] }
    /** `providers` names the sites that people sign in with. */
    'settings/sessions': { sessions: SessionProps[]; providers: Offer[] }
    'settings/activity': {
      activities: OwnActivityProps[]
      providers: Offer[]
      kind: 'sign_ins' | 'security' | 'accounts' | null
      filters: Filters
    }
  }
}
