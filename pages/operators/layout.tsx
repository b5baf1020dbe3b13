import { Link, usePage } from '@inertiajs/react'
import { type ReactNode, use } from 'react'
import { operatorPaths } from '../../features/operators/paths.ts'
import { paths } from '../../features/paths.ts'
import type { SharedProps } from '../../plugins/inertia/pages.ts'
import { type Text, text } from '../../plugins/languages/text.ts'
import { Boundary } from '../layouts/boundary.tsx'
import { Connection, PageAlert, SkipLink } from '../layouts/page-alert.tsx'
import { SiteContext } from '../shared/site.ts'
import { t } from '../words/t.ts'

const sections: { name: Text; path: string }[] = [
  { name: text('Users'), path: operatorPaths.users().url },
  { name: text('Workspaces'), path: operatorPaths.accounts().url },
  { name: text('Log'), path: operatorPaths.log().url },
]

/** Says on every page that it is about other people, in a colour that no other page has. */
export function OperatorLayout({ auth, children }: SharedProps & { children: ReactNode }) {
  const { appName } = use(SiteContext)
  const current = usePage().url.split(/[?#]/)[0] ?? ''

  return (
    <div className="operators">
      <SkipLink />
      <header className="operators-header">
        <div className="operators-bar">
          <strong>{t('Operators of {appName}', { appName })}</strong>
          <nav className="tabs" aria-label={t('Operators')}>
            {sections.map(({ name, path }) => (
              <Link
                key={path}
                href={path}
                aria-current={current === path ? 'page' : current.startsWith(path) || undefined}
              >
                {t(name)}
              </Link>
            ))}
          </nav>
          <Link className="operators-exit" href={paths.dashboard().url}>
            {t('Back to your own account')}
          </Link>
        </div>
        <Connection />
      </header>
      <main key={auth.user?.id} className="shell-main">
        <PageAlert />
        <Boundary>{children}</Boundary>
      </main>
    </div>
  )
}
