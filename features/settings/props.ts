import type { SecurityProps } from '../../plugins/security/contract.ts'
import type { Filters } from '../activity/filters.ts'
import type { OwnActivityProps } from '../activity/props.ts'
import type { SessionProps } from '../auth/props.ts'

declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    'settings/profile': Record<never, never>
    'settings/password': Record<never, never>
    'settings/email': Record<never, never>
    'settings/security': SecurityProps
    'settings/sessions': { sessions: SessionProps[] }
    'settings/activity': {
      activities: OwnActivityProps[]
      kind: 'sign_ins' | 'security' | 'accounts' | null
      filters: Filters
    }
  }
}
