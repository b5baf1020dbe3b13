import { kinds } from '../kinds/index.ts'
import { type ProviderConfig, type ProviderKind, standardRules } from '../kinds/kind.ts'
import type { ClientOptions, ProviderClient } from './client.ts'
import { boundedBy } from './failures.ts'
import { gitHubClient } from './github.ts'
import { openIdClient } from './openid.ts'

export function providerClient(provider: ProviderConfig, { fetch, redirectUri }: ClientOptions): ProviderClient {
  const options = { fetch: boundedBy(fetch), redirectUri }
  if (provider.id === 'github') return gitHubClient(provider, options)
  const kind: ProviderKind | undefined = (kinds as Record<string, ProviderKind>)[provider.id]
  return openIdClient(provider, kind?.rules?.(provider) ?? standardRules, options)
}
