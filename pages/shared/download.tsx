import { Download as Icon } from 'lucide-react'
import { t } from '../words/t.ts'
import { classes } from './button.tsx'

export const Download = ({ href, size }: { href: string; size?: 'small' }) => (
  <a className={classes({ size })} href={href} download>
    <Icon aria-hidden="true" />
    {t('Download CSV')}
  </a>
)
