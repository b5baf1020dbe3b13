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

export default function Profile({ auth: { user }, picture }: PageProps<'settings/profile'>) {
  return (
    <>
      <Heading title="Profile">How you appear to the people you share a workspace with.</Heading>
      <div className="card">
        <Form to={paths.updateProfile()} validatesAhead>
          <Field name="name" label="Name" autoComplete="name" defaultValue={user?.name} required />
          <Submit>Save</Submit>
        </Form>
      </div>
      {user && (
        <PictureCard
          round
          name={user.name}
          picture={picture}
          alt="Your picture"
          change={paths.changePicture()}
          remove={paths.removePicture()}
        >
          Helps others to find you in lists.
        </PictureCard>
      )}
      <section className="card farewell">
        <h2>Your data</h2>
        <p>All that is kept about you, in one file: your profile, sessions, workspaces and activity.</p>
        {user && (
          <Form to={paths.exportData()}>
            <Username of={user} />
            <CurrentPasswordField alone />
            <Submit>Download your data</Submit>
          </Form>
        )}
      </section>
      <section className="card farewell">
        <h2>Delete your account</h2>
        <p>You leave for good. This cannot be undone.</p>
        <Deletion action="Delete your account" to={paths.deleteUser()}>
          <Losses />
        </Deletion>
      </section>
    </>
  )
}

const Losses = () => (
  <ul>
    <li>You are signed out everywhere, at once.</li>
    <li>Workspaces that nobody else belongs to are deleted with you.</li>
    <li>Workspaces that you share stay. Where you were the only owner, whoever has been there longest takes over.</li>
  </ul>
)

Profile.layout = [AppLayout, SettingsLayout]
