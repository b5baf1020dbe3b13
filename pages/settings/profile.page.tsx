import { router } from '@inertiajs/react'
import { useEffect, useState } from 'react'
import { paths } from '../../features/paths.ts'
import type { Departure } from '../../features/settings/props.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { NameField } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { settingsLayouts } from '../layouts/settings.tsx'
import { Parts } from '../parts/parts.tsx'
import { Deletion } from '../popups/with-password.tsx'
import { Heading } from '../shared/heading.tsx'
import { byName } from '../words/locale.ts'
import { rich, t } from '../words/t.ts'

export default function Profile(props: PageProps<'settings/profile'>) {
  const { user } = props.auth
  return (
    <>
      <Heading title={t('Profile')}>{t('How you appear to the people you share a workspace with.')}</Heading>
      <div className="card">
        <Form to={paths.updateProfile()} saves validatesAhead>
          <NameField autoComplete="name" defaultValue={user?.name} />
          <Submit>{t('Save')}</Submit>
        </Form>
      </div>
      <Parts of="settings/profile" with={props} />
      <section className="card padded closing-card">
        <h2>{t('Your data')}</h2>
        <p>{t('Everything we store about you, in one file: your profile, sessions, workspaces and activity.')}</p>
        <Form to={paths.exportData()}>
          <CurrentPasswordField alone />
          <Submit>{t('Download your data')}</Submit>
        </Form>
      </section>
      <section className="card padded closing-card danger-card">
        <h2>{t('Delete your account')}</h2>
        <p>{t('This permanently deletes your account.')}</p>
        <Deletion action={t('Delete your account')} to={paths.deleteUser()}>
          <DeletionConsequences departure={props.departure} />
        </Deletion>
      </section>
    </>
  )
}

function DeletionConsequences({ departure: sent }: { departure: Departure | undefined }) {
  useEffect(() => router.reload({ only: ['departure'], showProgress: false }), [])
  // The answer to a wrong password lacks it, and what people are asked about must not vanish under their eyes.
  const [departure, setDeparture] = useState(sent)
  if (sent && sent !== departure) setDeparture(sent)
  const { deleted = [], inherited = [] } = departure ?? {}
  const fates = [
    ...deleted
      .toSorted(byName)
      .map(({ name }) => rich('The workspace {workspace} is deleted with your account.', { workspace: name })),
    ...inherited
      .toSorted(byName)
      .map(({ name, successor }) =>
        rich('The workspace {workspace} stays, and {successor} becomes its owner.', { workspace: name, successor }),
      ),
  ]

  return (
    <ul aria-busy={departure === undefined}>
      <li>{t("You're signed out everywhere right away.")}</li>
      {departure === undefined && <li>{t('Workspaces without other members are deleted with your account.')}</li>}
      {fates.map((fate, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may read the same, and the list does not change
        <li key={index}>{fate}</li>
      ))}
    </ul>
  )
}

Profile.layout = settingsLayouts
