import { Download as Icon } from 'lucide-react'

export const Download = ({ href }: { href: string }) => (
  <a className="button button-secondary button-small" href={href} download>
    <Icon aria-hidden="true" /> Download CSV
  </a>
)
