import { api } from './api/feature.tsx'
import type { Feature } from './feature.ts'
import { invitationLink } from './invitation-link/feature.tsx'
import { mailCodes } from './mail-codes/feature.tsx'
import { operators } from './operators/feature.tsx'
import { passkeys } from './passkeys/feature.tsx'
import { pictures } from './pictures/feature.tsx'
import { providers } from './providers/feature.tsx'
import { secondFactor } from './second-factor/feature.tsx'
import { singleSignOn } from './single-sign-on/feature.tsx'
import { webhooks } from './webhooks/feature.tsx'
import { workspaceTokens } from './workspace-tokens/feature.tsx'

/** The features of the product, in the order of their tabs (docs/guide.md). */
export const features: Feature[] = [
  secondFactor,
  api,
  passkeys,
  pictures,
  providers,
  operators,
  singleSignOn,
  mailCodes,
  invitationLink,
  webhooks,
  workspaceTokens,
]
