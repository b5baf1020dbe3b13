import type { ClientOptions, ProviderClient } from '../../../plugins/openid/client.ts'
import { openIdClient } from '../../../plugins/openid/openid.ts'
import type { ProviderConfig } from '../../../plugins/openid/rules.ts'
import { kinds } from '../kinds/index.ts'
import { type ProviderKind, standardRules } from '../kinds/kind.ts'
import { gitHubClient } from './github.ts'

export function providerClient(provider: ProviderConfig, options: ClientOptions): ProviderClient {
  if (provider.id === 'github') return gitHubClient(provider, options)
  const kind: ProviderKind | undefined = (kinds as Record<string, ProviderKind>)[provider.id]
  return openIdClient(provider, kind?.rules?.(provider) ?? standardRules, options)
}
