import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { Form, Submit } from '../forms/form.tsx'
import { AuthLayout } from '../layouts/auth.tsx'
import { Heading } from '../shared/heading.tsx'
import { rich, t } from '../words/t.ts'

export default function NotMine({ sid, email }: PageProps<'identity/not-mine'>) {
  return (
    <>
      <Heading title={t('Not you?')}>
        {rich(
          `Someone signed up with {email}. If it wasn't you, remove their account: everything in it is deleted, and you
            can sign up with the address yourself.`,
          { email },
        )}
      </Heading>
      <Form to={paths.removeNotMine()}>
        <input type="hidden" name="sid" value={sid} />
        <Submit look="danger">{t('Remove the account')}</Submit>
      </Form>
      <p className="auth-other">{t('If it was you, close this page: nothing has changed.')}</p>
    </>
  )
}

NotMine.layout = AuthLayout
