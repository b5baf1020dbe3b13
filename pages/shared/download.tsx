import { Download as Icon } from 'lucide-react'
import { t } from '../words/t.ts'

export const Download = ({ href }: { href: string }) => (
  <a className="button button-secondary button-small" href={href} download>
    <Icon aria-hidden="true" />
    {t('Download CSV')}
  </a>
)
