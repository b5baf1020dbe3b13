import type { OfUser } from '../activity/activities.ts'

declare module '../activity/activities.ts' {
  interface Activities {
    email_changed: OfUser
    password_changed: OfUser
    data_exported: OfUser
  }
}
