import type { OfUser } from '../activity/activities.ts'

declare module '../activity/activities.ts' {
  interface Activities {
    email_verified: OfUser
    password_reset: OfUser
  }
}
