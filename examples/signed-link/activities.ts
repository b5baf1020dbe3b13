import { defineKinds, type OfUser } from '../../features/activity/activities.ts'

export interface SignedLinkActivities {
  sign_in_link_used: OfUser
}

declare module '../../features/activity/activities.ts' {
  interface Activities extends SignedLinkActivities {}
}

defineKinds({ sign_in_link_used: 'sign_ins' })
