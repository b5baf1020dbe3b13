import { Link } from '@inertiajs/react'
import type { ReactNode } from 'react'
import { paths } from '../../features/paths.ts'
import { Arches, Brand } from '../shared/brand.tsx'
import { LanguagePicker } from '../shared/language-menu.tsx'
import { Footer } from './footer.tsx'
import { Connection, PageAlert, SkipLink } from './page-alert.tsx'

export function AuthLayout({ children }: { children: ReactNode }) {
  // Inertia would take an arrow function for a render function.
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
        <Connection />
        <PageAlert />
        {children}
      </main>
      <Footer />
      <div className="auth-door">
        <Arches />
      </div>
    </div>
  )
}
