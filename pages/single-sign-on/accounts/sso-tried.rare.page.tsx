import { Link } from '@inertiajs/react'
import { useEffect } from 'react'
import { singleSignOnPaths } from '../../../features/single-sign-on/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { AuthLayout } from '../../layouts/auth.tsx'
import { Heading } from '../../shared/heading.tsx'
import { t } from '../../words/t.ts'
import { tellTried } from '../tried.ts'

export default function Tried({ account, auth }: PageProps<'accounts/sso-tried'>) {
  useEffect(tellTried, [])
  return (
    <>
      <Heading title={t('Hello {name}, this works', { name: auth.user?.name ?? '' })}>
        {t('Your provider signed you in. You can close this window: the page that you came from knows.')}
      </Heading>
      <p className="auth-other">
        <Link href={singleSignOnPaths.accountSingleSignOn(account.slug).url}>{t('Go on here')}</Link>
      </p>
    </>
  )
}

Tried.layout = AuthLayout
