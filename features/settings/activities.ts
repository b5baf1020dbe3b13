import type { OfUser } from '../activity/activities.ts'

declare module '../activity/activities.ts' {
  interface Activities {
    profile_changed: OfUser<{ from: string; to: string }>
    email_changed: OfUser
    password_changed: OfUser
    data_exported: OfUser
  }
}
