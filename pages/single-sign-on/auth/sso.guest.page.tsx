import { Link } from '@inertiajs/react'
import { paths } from '../../../features/paths.ts'
import { singleSignOnPaths } from '../../../features/single-sign-on/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { EmailField } from '../../forms/email-field.tsx'
import { Form, Submit } from '../../forms/form.tsx'
import { AuthLayout } from '../../layouts/auth.tsx'
import { Heading } from '../../shared/heading.tsx'
import { t } from '../../words/t.ts'

export default function SingleSignOn({ invitation, return_to }: PageProps<'auth/sso'>) {
  return (
    <>
      <Heading title={t('Sign in with your company')}>
        {t("Your work address tells us which provider signs you in. You don't need a password here.")}
      </Heading>
      <Form
        to={singleSignOnPaths.findSingleSignOn()}
        data={{ ...(invitation && { invitation }), ...(return_to && { return_to }) }}
      >
        <EmailField autoComplete="username" autoFocus />
        <Submit>{t('Continue')}</Submit>
      </Form>
      <p className="auth-other">
        <Link href={paths.signInPage(invitation, return_to).url}>{t('Sign in another way')}</Link>
      </p>
    </>
  )
}

SingleSignOn.layout = AuthLayout
