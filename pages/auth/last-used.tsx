import { t } from '../words/t.ts'

/** Marks the way in that this browser used last. The name of the button stays as it is, so it is described as well. */
export const LastUsed = () => (
  <span className="badge" aria-hidden="true">
    {t('Last used')}
  </span>
)

export const asLastUsed = (isLast: boolean) => (isLast ? { 'aria-description': t('Last used') } : {})
