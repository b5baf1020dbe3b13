import { KeySquare } from 'lucide-react'
import type { TokenActivities } from '../../features/api/activities.ts'
import { apiPaths } from '../../features/api/paths.ts'
import { text } from '../../plugins/languages/text.ts'
import type { Feature, Perspective } from '../feature.ts'
import { rich } from '../words/t.ts'

type About = { details: { token_name: string } }

export const created = ({ actor }: Perspective, { details }: About) =>
  rich('{actor} created the token {token}', { actor, token: details.token_name })

export const revoked = ({ actor }: Perspective, { details }: About) =>
  rich('{actor} revoked the token {token}', { actor, token: details.token_name })

export const api: Feature<keyof TokenActivities> = {
  option: 'api',
  settingsTab: { name: text('Tokens'), path: apiPaths.tokens() },
  mails: {
    token_created: text('A token was created'),
    token_revoked: text('A token was revoked'),
    token_expires: text('A token expires soon'),
  },
  icons: {
    token_created: KeySquare,
    token_revoked: KeySquare,
  },
  sentences: { token_created: created, token_revoked: revoked },
}
