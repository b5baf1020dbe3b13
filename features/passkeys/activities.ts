import type { OfUser } from '../activity/activities.ts'

declare module '../activity/activities.ts' {
  interface Activities {
    passkey_added: OfUser<{ passkey_name: string }>
    passkey_removed: OfUser<{ passkey_name: string }>
  }
}
