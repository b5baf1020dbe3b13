import type { GuestFeature } from '../feature.ts'
import { Providers } from './providers.tsx'

export const providers: GuestFeature = {
  option: 'providers',
  parts: {
    'auth/sign-in:first': ({ page, ...context }) => (
      <Providers providers={page.providers} verb="Sign in" last={page.last_method} {...context} />
    ),
    'auth/sign-up:first': ({ page, ...context }) => (
      <Providers providers={page.providers} verb="Sign up" {...context} />
    ),
  },
}
