import { defineKinds, type OfUser } from '../activity/activities.ts'

export interface ProviderActivities {
  identity_connected: OfUser<{ provider: string; provider_name: string }>
  identity_disconnected: OfUser<{ provider: string; provider_name: string }>
}

declare module '../activity/activities.ts' {
  interface Activities extends ProviderActivities {}
}

defineKinds({
  identity_connected: 'security',
  identity_disconnected: 'security',
})
