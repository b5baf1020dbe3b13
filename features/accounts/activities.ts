import type { Role } from '../../drizzle/schema.ts'
import type { OfAccount } from '../activity/activities.ts'

declare module '../activity/activities.ts' {
  interface Activities {
    account_created: OfAccount
    account_renamed: OfAccount<{ from: string; to: string }>
    /** Recorded once for each owner, so it outlives the account. */
    account_deleted: OfAccount
    member_invited: OfAccount<{ invitation_id: number; role: Role }>
    invitation_revoked: OfAccount<{ invitation_id: number; role: Role }>
    invitation_declined: OfAccount<{ invitation_id: number; role: Role }>
    member_joined: OfAccount<{ role: Role }>
    role_changed: OfAccount<{ from: Role; to: Role }>
    member_removed: OfAccount
    member_left: OfAccount
  }
}
