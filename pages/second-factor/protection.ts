import type { Protect } from '../settings/protection.ts'
import { plural, t } from '../words/t.ts'

const few = 2 // recovery codes

/** The app is a part of signing in with the password, and no way of its own. */
export const protectByApp: Protect = ({ second_factor }) => {
  if (!second_factor) return {}
  const left = second_factor.recovery_codes_left
  const text =
    left === 0 ? t('No recovery codes left') : plural(left, '{count} recovery code', '{count} recovery codes')
  return {
    isSecondFactor: true,
    sparesLeft: left,
    facts: [{ isFine: left > few, text }],
    gaps: () => [left <= few && { rank: 5, text: t('Create new recovery codes before you need one.') }],
  }
}
