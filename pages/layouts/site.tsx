import { Link } from '@inertiajs/react'
import { type ReactNode, use } from 'react'
import { frontPage } from '../../brand/front-page.ts'
import { paths } from '../../features/paths.ts'
import { Brand } from '../shared/brand.tsx'
import { ButtonLink } from '../shared/button.tsx'
import { LanguagePicker } from '../shared/language-menu.tsx'
import { SiteContext } from '../shared/site.ts'
import { t } from '../words/t.ts'
import { Footer } from './footer.tsx'
import { Connection, PageAlert, SkipLink } from './page-alert.tsx'

export function SiteLayout({ invitation_only, children }: { invitation_only?: true; children: ReactNode }) {
  const { navigation } = frontPage(use(SiteContext).appName)
  return (
    <div className="site">
      <SkipLink />
      <header className="site-header">
        <Link href={paths.home().url}>
          <Brand />
        </Link>
        {navigation && (
          <nav className="site-navigation" aria-label={t('Pages')}>
            {navigation.map(({ name, href }) => (
              <a key={href} href={href}>
                {name}
              </a>
            ))}
          </nav>
        )}
        <LanguagePicker />
        <nav aria-label={t('Sign in or sign up')}>
          <ButtonLink look="quiet" href={paths.signInPage().url}>
            {t('Sign in')}
          </ButtonLink>
          {!invitation_only && (
            <ButtonLink look="primary" href={paths.signUpPage().url}>
              {t('Sign up')}
            </ButtonLink>
          )}
        </nav>
      </header>
      <main>
        <Connection />
        <PageAlert />
        {children}
      </main>
      <Footer />
    </div>
  )
}
