import { usePage } from '@inertiajs/react'
import { LifeBuoy } from 'lucide-react'
import { operatorPaths } from '../../features/operators/paths.ts'
import { MenuLink } from '../popups/menu.tsx'
import { t } from '../words/t.ts'

/** The way to the pages of operators, for operators. */
export function OperatorLink() {
  const { operator } = usePage().props
  return (
    operator && (
      <MenuLink href={operatorPaths.home().url}>
        <LifeBuoy />
        <span className="menu-text">{t('Operators')}</span>
      </MenuLink>
    )
  )
}
