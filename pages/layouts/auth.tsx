import { Link } from '@inertiajs/react'
import type { ReactNode } from 'react'
import { paths } from '../../features/paths.ts'
import { Arches } from '../shared/arches.tsx'
import { Brand } from '../shared/brand.tsx'
import { LanguagePicker } from './language-picker.tsx'
import { PageAlert } from './page-alert.tsx'
import { SkipLink } from './skip-link.tsx'

/** The layout for signing in and up: a form, and an illustration if there is room. */
export function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="auth">
      <SkipLink />
      <header className="auth-header">
        <Link href={paths.home().url}>
          <Brand />
        </Link>
        <LanguagePicker />
      </header>
      <main className="auth-main">
        <PageAlert />
        {children}
      </main>
      <div className="auth-door">
        <Arches />
      </div>
    </div>
  )
}
