import { defineKinds, type OfUser } from '../activity/activities.ts'

export interface TokenActivities {
  token_created: OfUser<{ token_name: string }>
  token_revoked: OfUser<{ token_name: string }>
}

declare module '../activity/activities.ts' {
  interface Activities extends TokenActivities {}
}

defineKinds({
  token_created: 'security',
  token_revoked: 'security',
})
