import type { GuestFeature } from '../feature.ts'
import { ProviderButton } from './provider-button.tsx'

export const providers: GuestFeature = {
  option: 'providers',
  ways: ({ providers = [] }) => providers.map((provider) => ({ ...provider, signsUp: true, Button: ProviderButton })),
}
