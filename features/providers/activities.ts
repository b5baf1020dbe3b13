import type { OfUser } from '../activity/activities.ts'

declare module '../activity/activities.ts' {
  interface Activities {
    /** `provider` as in its URLs, and what it was called. */
    identity_connected: OfUser<{ provider: string; provider_name: string }>
    identity_disconnected: OfUser<{ provider: string; provider_name: string }>
  }
}
