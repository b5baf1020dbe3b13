import { KeySquare } from 'lucide-react'
import type { TokenActivities } from '../../features/api/activities.ts'
import { apiPaths } from '../../features/api/paths.ts'
import { text } from '../../plugins/languages/text.ts'
import type { Feature } from '../feature.ts'
import { rich } from '../words/t.ts'

export const api: Feature<keyof TokenActivities> = {
  option: 'api',
  settingsTab: { name: text('Tokens'), path: apiPaths.tokens() },
  icons: {
    token_created: KeySquare,
    token_revoked: KeySquare,
  },
  sentences: {
    token_created: ({ actor }, { details }) =>
      rich('{actor} created the token {token}', { actor, token: details.token_name }),
    token_revoked: ({ actor }, { details }) =>
      rich('{actor} revoked the token {token}', { actor, token: details.token_name }),
  },
}
