import { Download as Icon } from 'lucide-react'
import { t } from '../words/t.ts'
import { classes } from './button.tsx'

/** Not with the attribute `download`: a refusal would be saved instead of shown. */
export const Download = ({ href, size }: { href: string; size?: 'small' }) => (
  <a className={classes({ size })} href={href}>
    <Icon />
    {t('Download CSV')}
  </a>
)
