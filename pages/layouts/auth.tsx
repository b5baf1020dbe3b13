import { Link } from '@inertiajs/react'
import type { ReactNode } from 'react'
import { paths } from '../../features/paths.ts'
import { Arches } from '../shared/arches.tsx'
import { Brand } from '../shared/brand.tsx'

/** The way in: a form, and beside it, where there is room, the door. */
export function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="auth">
      <header className="auth-header">
        <Link href={paths.home().url}>
          <Brand />
        </Link>
      </header>
      <main className="auth-main" id="content" tabIndex={-1}>
        {children}
      </main>
      <div className="auth-door">
        <Arches />
      </div>
    </div>
  )
}
