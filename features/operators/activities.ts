import { defineKinds, type OfUser } from '../activity/activities.ts'

export interface OperatorActivities {
  operator_granted: OfUser
  operator_revoked: OfUser
}

declare module '../activity/activities.ts' {
  interface Activities extends OperatorActivities {}
}

defineKinds({
  operator_granted: 'security',
  operator_revoked: 'security',
})
