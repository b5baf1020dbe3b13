import type { NamedProvider } from '../words.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { google } from './google.ts'
import type { ProviderKind } from './kind.ts'
import { microsoft } from './microsoft.ts'
import { oidc } from './oidc.ts'

/** All kinds of providers by their id, in the order of their buttons. */
export const kinds = { google, github, gitlab, microsoft, oidc } as const satisfies Record<
  NamedProvider | 'oidc',
  ProviderKind
>
