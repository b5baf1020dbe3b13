import { useLastWayIn } from '../visits/way-in.ts'
import { t } from '../words/t.ts'

/** Marks the way in that this browser used last. */
export const LastUsed = ({ way }: { way: string }) =>
  useLastWayIn() === way && <span className="badge last-used">{t('Last used')}</span>
