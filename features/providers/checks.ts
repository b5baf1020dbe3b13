import { guardedFetch } from '../../plugins/http/guarded-fetch.ts'
import { accepted } from '../../plugins/openid/failures.ts'
import type { OptionConfig } from '../../plugins/settings.ts'
import { providerClient } from './client.ts'
import { providersPaths } from './paths.ts'

/** Asks each provider with a code that nobody gave. It judges our id and secret first. */
export const providerChecks = ({ providers, origin }: OptionConfig & { origin: string }) =>
  providers.map((provider): [string, () => Promise<string>] => [
    provider.id,
    async () => {
      const redirectUri = origin + providersPaths.providerCallback(provider.id).url
      const client = providerClient(provider, { fetch: guardedFetch({ allowPrivate: true }), redirectUri })
      await accepted(() => client.check())
      return `accepts our client ID and secret; register ${redirectUri} as redirect URI`
    },
  ])
