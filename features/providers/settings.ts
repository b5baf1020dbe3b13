import type { ProviderConfig } from '../../plugins/openid/client.ts'
import { defineSettings, secret, setting } from '../../plugins/settings.ts'
import { kinds } from './kinds.ts'
import { providerNames } from './words.ts'

declare module '../../plugins/settings.ts' {
  interface OptionConfig {
    providers: ProviderConfig[]
  }
}

type Environment = { [name: string]: string | undefined }

const all = Object.entries(kinds)

const variables: Record<string, ReturnType<typeof setting>> = Object.fromEntries(
  all.flatMap(([id, { prefix, settings, required }]) => {
    const provider = providerNames[id] ?? `the provider of ${required}`
    return [
      [`${prefix}_CLIENT_ID`, setting(`be the client id that ${provider} gave, set together with its secret`)],
      [`${prefix}_CLIENT_SECRET`, secret(`be the client secret that ${provider} gave, set together with its id`)],
      ...Object.entries(settings).map(([name, { must, pattern }]) => [name, setting(must, pattern)]),
    ]
  }),
)

defineSettings({
  variables,
  read: (environment) => ({ providers: providersIn(environment) }),
  mistakes: missingIn,
  checks: async (config) => (await import('./client.ts')).providerChecks(config),
})

function providersIn(environment: Environment): ProviderConfig[] {
  return all.flatMap(([id, { prefix, configure }]) => {
    const { [`${prefix}_CLIENT_ID`]: clientId, [`${prefix}_CLIENT_SECRET`]: clientSecret } = environment
    if (!clientId || !clientSecret) return []
    return [{ id, name: providerNames[id] ?? id, ...configure(environment), clientId, clientSecret }]
  })
}

/** The settings that are missing of providers that have others. */
function missingIn(environment: Environment) {
  return all.flatMap(([, { prefix, required = [] }]) => {
    const isBegun = Object.entries(environment).some(([name, value]) => name.startsWith(`${prefix}_`) && value)
    const needed = [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`, ...required]
    return isBegun ? needed.filter((name) => !environment[name]) : []
  })
}
