import { ShieldMinus, ShieldPlus } from 'lucide-react'
import type { OperatorActivities } from '../../features/operators/activities.ts'
import type { Feature } from '../feature.ts'
import { rich } from '../words/t.ts'
import { OperatorLink } from './menu.tsx'

export const operators: Feature<keyof OperatorActivities> = {
  option: 'operators',
  parts: { menu: OperatorLink },
  icons: {
    operator_granted: ShieldPlus,
    operator_revoked: ShieldMinus,
  },
  sentences: {
    operator_granted: ({ actor, other }) => rich('{actor} made {other} an operator', { actor, other }),
    operator_revoked: ({ actor, other }) => rich('{actor} removed {other} from the operators', { actor, other }),
  },
}
