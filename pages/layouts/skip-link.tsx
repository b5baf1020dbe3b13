import { t } from '../words/t.ts'
export const SkipLink = () => (
  <a className="skip-link" href="#content">
    {t('Skip to content')}
  </a>
)
