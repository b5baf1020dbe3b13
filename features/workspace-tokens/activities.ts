import { defineKinds, type OfAccount } from '../activity/activities.ts'

type About = { token_id: number; token_name: string }

export interface WorkspaceTokenActivities {
  workspace_token_created: OfAccount<About>
  workspace_token_rolled: OfAccount<About>
  /** By us if whoever made it lost their account. */
  workspace_token_revoked: OfAccount<About>
}

declare module '../activity/activities.ts' {
  interface Activities extends WorkspaceTokenActivities {}
}

defineKinds({
  workspace_token_created: 'account',
  workspace_token_rolled: 'account',
  workspace_token_revoked: 'account',
})
