import { router } from '@inertiajs/react'
import { useState } from 'react'
import type { UserProps } from '../../features/auth/props.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { AppLayout } from '../layouts/app.tsx'
import { SettingsLayout } from '../layouts/settings.tsx'
import { Button } from '../shared/button.tsx'
import { CurrentPasswordField } from '../shared/current-password-field.tsx'
import { Dialog, DialogActions } from '../shared/dialog.tsx'
import { Field } from '../shared/field.tsx'
import { Form, Submit } from '../shared/form.tsx'
import { Heading } from '../shared/heading.tsx'
import { Username } from '../shared/username.tsx'

export default function Profile({ auth: { user }, errors }: PageProps<'settings/profile'>) {
  return (
    <>
      <Heading title="Profile">How you appear to the people you share an account with.</Heading>
      <div className="card">
        <Form to={paths.updateProfile()} validatesAhead>
          <Field name="name" label="Name" autoComplete="name" defaultValue={user?.name} required />
          <Submit>Save</Submit>
        </Form>
      </div>
      <section className="card farewell">
        <h2>Delete your user</h2>
        <p>You leave for good. This cannot be undone.</p>
        {user && <Deletion user={user} refused={errors.password_challenge !== undefined} />}
      </section>
    </>
  )
}

function Deletion({ user, refused }: { user: UserProps; refused: boolean }) {
  const [refusedBefore] = useState(refused) // and then loaded afresh: the decision is still to be made

  return (
    <Dialog
      trigger={<Button>Delete your user</Button>}
      title="Delete your user?"
      explanation={<Losses />}
      defaultOpen={refusedBefore}
      onClose={() => router.replaceProp('errors', {})} // or the next opening would begin with them
    >
      <Form to={paths.deleteUser()} onSuccess={() => router.flushAll()}>
        <Username of={user} />
        <CurrentPasswordField />
        <DialogActions>
          <Submit look="danger">Delete your user</Submit>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

const Losses = () => (
  <ul>
    <li>You are signed out everywhere, at once.</li>
    <li>Accounts that nobody else belongs to are deleted with you.</li>
    <li>Accounts that you share stay. Where you were the only owner, whoever has been there longest takes over.</li>
  </ul>
)

Profile.layout = [AppLayout, SettingsLayout]
