import type { Protect } from '../settings/protection.ts'
import { t } from '../words/t.ts'

export const protectByPasskeys: Protect = ({ passkeys = [] }) => {
  const hasNone = passkeys.length === 0
  return {
    ways: passkeys.length,
    isSecondFactor: !hasNone,
    gaps({ ways, hasPassword, hasSecondFactor, sparesLeft }) {
      const lostPhone = t('One lost phone would lock you out. Add a passkey.')
      const lostDevice = t('One lost device would lock you out. Set a password.')
      const stolen = t('A stolen password is enough to sign in as you. Add a passkey.')
      return [
        hasNone && sparesLeft === 0 && { rank: 1, text: lostPhone },
        ways < 2 && passkeys[0]?.synced === false && { rank: 2, text: lostDevice },
        hasNone && !hasSecondFactor && hasPassword && { rank: 3, text: stolen },
        ways < 2 && { rank: 4, text: t('There is only one way in. Add a passkey.') },
      ]
    },
  }
}
