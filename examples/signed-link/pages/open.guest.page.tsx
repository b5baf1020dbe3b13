import { Form, Submit } from '../../../pages/forms/form.tsx'
import { AuthLayout } from '../../../pages/layouts/auth.tsx'
import { Heading } from '../../../pages/shared/heading.tsx'
import { t } from '../../../pages/words/t.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { linkPaths } from '../paths.ts'

export default function OpenLink({ sid, invitation, return_to }: PageProps<'signed-link/open'>) {
  return (
    <>
      <Heading title={t('Sign in')}>{t('The link works once.')}</Heading>
      <Form to={linkPaths.useLink()}>
        {Object.entries({ sid, invitation, return_to }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Submit>{t('Sign in')}</Submit>
      </Form>
    </>
  )
}

OpenLink.layout = AuthLayout
