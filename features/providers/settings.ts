import type { ProviderConfig } from '../../plugins/openid/rules.ts'
import { defineSettings, secret, setting } from '../../plugins/settings.ts'
import { kinds } from './kinds/index.ts'
import type { ProviderKind } from './kinds/kind.ts'
import { providerNames } from './words.ts'

declare module '../../plugins/settings.ts' {
  interface OptionConfig {
    providers: ProviderConfig[]
  }
}

type Kinds = typeof kinds
type KeysOf<Each> = Each extends Each ? keyof Each & string : never
type Prefix = Kinds[keyof Kinds]['prefix']
type Name = `${Prefix}_CLIENT_ID` | `${Prefix}_CLIENT_SECRET` | KeysOf<Kinds[keyof Kinds]['settings']>

const variables = Object.fromEntries(
  all().flatMap(([id, kind]) => {
    const { prefix, settings } = kind
    const provider = nameOf(id) ?? `the provider of ${kind.required}`
    return [
      [`${prefix}_CLIENT_ID`, setting(`be the client id that ${provider} gave, set together with its secret`)],
      [`${prefix}_CLIENT_SECRET`, secret(`be the client secret that ${provider} gave, set together with its id`)],
      ...Object.entries(settings).map(([name, { must, pattern }]) => [name, setting(must, pattern)]),
    ]
  }),
) as Record<Name, ReturnType<typeof setting>>

type Variables = { [N in Name]?: string | undefined }

defineSettings({
  variables,
  read: (environment) => ({ providers: providersIn(environment) }),
  mistakes: missingIn,
  checks: async (config) => (await import('./checks.ts')).providerChecks(config),
})

function providersIn(environment: Variables): ProviderConfig[] {
  return all().flatMap(([id, { prefix, configure }]) => {
    const { [`${prefix}_CLIENT_ID`]: clientId, [`${prefix}_CLIENT_SECRET`]: clientSecret } = valuesIn(environment)
    if (!clientId || !clientSecret) return []
    return [{ id, name: nameOf(id) ?? id, ...configure(environment), clientId, clientSecret }]
  })
}

/** The settings that are missing of providers that have others. */
function missingIn(environment: Variables) {
  return all().flatMap(([, { prefix, required = [] }]) => {
    const values = valuesIn(environment)
    const isBegun = Object.entries(values).some(([name, value]) => name.startsWith(`${prefix}_`) && value)
    const needed = [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`, ...required]
    return isBegun ? needed.filter((name) => !values[name]) : []
  })
}

function all() {
  return Object.entries<ProviderKind>(kinds)
}

function nameOf(id: string): string | undefined {
  return providerNames[id]
}

function valuesIn(environment: Variables): { [name: string]: string | undefined } {
  return environment
}
