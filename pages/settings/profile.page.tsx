import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { Username } from '../forms/username.tsx'
import { AppLayout } from '../layouts/app.tsx'
import { SettingsLayout } from '../layouts/settings.tsx'
import { PictureCard } from '../pictures/picture-card.tsx'
import { Deletion } from '../popups/deletion.tsx'
import { Heading } from '../shared/heading.tsx'
import { t } from '../words/t.ts'

export default function Profile({ auth: { user }, picture }: PageProps<'settings/profile'>) {
  return (
    <>
      <Heading title={t('Profile')}>{t('How you appear to the people you share a workspace with.')}</Heading>
      <div className="card">
        <Form to={paths.updateProfile()} validatesAhead>
          <Field name="name" label={t('Name')} autoComplete="name" defaultValue={user?.name} required />
          <Submit>{t('Save')}</Submit>
        </Form>
      </div>
      {user && (
        <PictureCard
          round
          name={user.name}
          picture={picture}
          alt={t('Your picture')}
          change={paths.changePicture()}
          remove={paths.removePicture()}
        >
          {t('Helps others to find you in lists.')}
        </PictureCard>
      )}
      <section className="card farewell">
        <h2>{t('Your data')}</h2>
        <p>{t('All that is kept about you, in one file: your profile, sessions, workspaces and activity.')}</p>
        {user && (
          <Form to={paths.exportData()}>
            <Username of={user} />
            <CurrentPasswordField alone />
            <Submit>{t('Download your data')}</Submit>
          </Form>
        )}
      </section>
      <section className="card farewell">
        <h2>{t('Delete your account')}</h2>
        <p>{t('You leave for good. This cannot be undone.')}</p>
        <Deletion action={t('Delete your account')} to={paths.deleteUser()}>
          <Losses />
        </Deletion>
      </section>
    </>
  )
}

const Losses = () => (
  <ul>
    <li>{t('You are signed out everywhere, at once.')}</li>
    <li>{t('Workspaces that nobody else belongs to are deleted with you.')}</li>
    <li>
      {t('Workspaces that you share stay. Where you were the only owner, whoever has been there longest takes over.')}
    </li>
  </ul>
)

Profile.layout = [AppLayout, SettingsLayout]
