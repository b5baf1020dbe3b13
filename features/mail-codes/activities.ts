import { defineKinds, type OfUser } from '../activity/activities.ts'

export interface MailCodeActivities {
  /**
   * The first proof of the address ended whatever somebody else may have set up: `ways` are names of sign-in methods.
   */
  ways_in_removed: OfUser<{ ways: string[] }>
}

declare module '../activity/activities.ts' {
  interface Activities extends MailCodeActivities {}
}

defineKinds({ ways_in_removed: 'security' })
