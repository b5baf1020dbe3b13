import { KeySquare } from 'lucide-react'
import type { TokenActivities } from '../../features/api/activities.ts'
import type { Feature } from '../feature.ts'
import { rich } from '../words/t.ts'

export const api: Feature<keyof TokenActivities> = {
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
