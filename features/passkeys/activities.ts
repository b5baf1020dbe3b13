import { type Change, defineKinds, type OfUser } from '../activity/activities.ts'

export interface PasskeyActivities {
  passkey_added: OfUser<{ passkey_name: string }>
  passkey_renamed: OfUser<Change<string>>
  passkey_removed: OfUser<{ passkey_name: string }>
}

declare module '../activity/activities.ts' {
  interface Activities extends PasskeyActivities {}
}

defineKinds({
  passkey_added: 'security',
  passkey_renamed: 'security',
  passkey_removed: 'security',
})
