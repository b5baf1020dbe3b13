import { t } from '../words/t.ts'

/** The badge is not part of the button's name, so the button is described by it as well. */
export const LastUsed = () => (
  <span className="badge" aria-hidden="true">
    {t('Last used')}
  </span>
)

export const asLastUsed = (isLast: boolean) => (isLast ? { 'aria-description': t('Last used') } : {})
