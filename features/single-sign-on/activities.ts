import { defineKinds, type OfAccount, type OfUser } from '../activity/activities.ts'

export interface SingleSignOnActivities {
  sso_connected: OfUser<{ account_name: string }>
  sso_disconnected: OfUser<{ account_name: string }>
  domain_added: OfAccount<{ domain: string }>
  domain_verified: OfAccount<{ domain: string }>
  // Another account proved it.
  domain_moved: OfAccount<{ domain: string }>
  // Its record was gone on three days in a row.
  domain_lost: OfAccount<{ domain: string }>
  domain_removed: OfAccount<{ domain: string }>
  sso_saved: OfAccount
  sso_removed: OfAccount
  sso_setup_link_made: OfAccount
  /** Whoever has it did this. */
  sso_setup_link_used: OfAccount<{ did: 'domain_added' | 'domain_verified' | 'sso_saved'; domain?: string }>
  /** Without an actor, it ended with the rights of who made it. */
  sso_setup_link_withdrawn: OfAccount
  sso_required: OfAccount
  sso_not_required: OfAccount
}

declare module '../activity/activities.ts' {
  interface Activities extends SingleSignOnActivities {}
}

defineKinds({
  sso_connected: 'security',
  sso_disconnected: 'security',
  domain_added: 'account',
  domain_verified: 'account',
  domain_moved: 'account',
  domain_lost: 'account',
  domain_removed: 'account',
  sso_saved: 'account',
  sso_removed: 'account',
  sso_setup_link_made: 'account',
  sso_setup_link_used: 'account',
  sso_setup_link_withdrawn: 'account',
  sso_required: 'account',
  sso_not_required: 'account',
})
