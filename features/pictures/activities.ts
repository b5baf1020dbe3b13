import { defineKinds, type OfAccount, type OfUser } from '../activity/activities.ts'

export interface PictureActivities {
  picture_changed: OfAccount<{ removed: boolean }> | OfUser<{ removed: boolean }>
}

declare module '../activity/activities.ts' {
  interface Activities extends PictureActivities {}
}

defineKinds({
  picture_changed: 'account',
})
