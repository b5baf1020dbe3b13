import { Link2, Link2Off } from 'lucide-react'
import type { ProviderActivities } from '../../features/providers/activities.ts'
import type { Feature } from '../feature.ts'
import { rich } from '../words/t.ts'

export const providers: Feature<keyof ProviderActivities> = {
  icons: {
    identity_connected: Link2,
    identity_disconnected: Link2Off,
  },
  sentences: {
    identity_connected: ({ actor }, { details }) =>
      rich('{actor} connected {provider}', { actor, provider: details.provider_name }),
    identity_disconnected: ({ actor }, { details }) =>
      rich('{actor} disconnected {provider}', { actor, provider: details.provider_name }),
  },
}
