import type { SessionProps } from '../auth/props.ts'

declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    'settings/sessions': { sessions: SessionProps[] }
  }
}
