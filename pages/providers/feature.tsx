import { Link2, Link2Off } from 'lucide-react'
import type { ProviderActivities } from '../../features/providers/activities.ts'
import { providerWords } from '../../features/providers/words.ts'
import { text } from '../../plugins/languages/text.ts'
import type { Feature } from '../feature.ts'
import { rich } from '../words/t.ts'
import { Identities } from './identities.tsx'

export const providers: Feature<keyof ProviderActivities> = {
  option: 'providers',
  methods: { first: { provider: providerWords } },
  parts: { 'settings/security': Identities },
  protection: ({ identities = [], providers = [] }) => ({
    ways: identities.filter(({ provider }) => providers.some(({ id }) => id === provider)).length,
  }),
  mails: {
    identity_connected: text('A provider was connected'),
    identity_disconnected: text('A provider was disconnected'),
  },
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
