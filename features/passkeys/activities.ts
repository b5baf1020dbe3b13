import type { OfUser } from '../activity/activities.ts'

declare module '../activity/activities.ts' {
  interface Activities {
    passkey_added: OfUser<{ passkey_name: string }>
    passkey_renamed: OfUser<{ from: string; to: string }>
    passkey_removed: OfUser<{ passkey_name: string }>
  }
}
