import type { OfAccount, OfUser } from '../activity/activities.ts'

declare module '../activity/activities.ts' {
  interface Activities {
    picture_changed: OfUser<{ removed: boolean }> | OfAccount<{ removed: boolean }>
  }
}
