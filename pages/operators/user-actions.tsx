import { operatorPaths } from '../../features/operators/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { asTyped, Field } from '../forms/field.tsx'
import { FormDialog, WithPassword } from '../popups/with-password.tsx'
import { SmallButton } from '../shared/button.tsx'
import { rich, t } from '../words/t.ts'

type Props = Pick<PageProps<'operators/user'>, 'user'> & { hasFactor: boolean; isPaused: boolean }

/** What an operator may do for a user. Each asks for the operator's own password. */
export function UserActions({ user: { id, name, email, verified, suspended_at }, hasFactor, isPaused }: Props) {
  return (
    <div className="actions">
      {verified ? (
        <WithPassword
          title={rich('Send {name} a reset link?', { name })}
          action={t('Send reset link')}
          to={operatorPaths.sendResetLink(id)}
        >
          <p>{rich('It goes to {email} and works for 20 minutes. You never see it.', { email })}</p>
        </WithPassword>
      ) : (
        <WithPassword
          title={rich('Send {name} the verification again?', { name })}
          action={t('Send verification')}
          to={operatorPaths.sendVerification(id)}
        >
          <p>{rich('It goes to {email}.', { email })}</p>
        </WithPassword>
      )}
      {isPaused && (
        <WithPassword
          title={rich('Lift the pause of {name}?', { name })}
          action={t('Lift pause')}
          to={operatorPaths.liftPause(id)}
        >
          <p>{t('They can try again at once, and so can whoever guessed.')}</p>
        </WithPassword>
      )}
      <WithPassword
        title={rich('End all sessions of {name}?', { name })}
        action={t('End sessions')}
        to={operatorPaths.endSessions(id)}
      >
        <p>{t('They are signed out everywhere, and can sign in again.')}</p>
      </WithPassword>
      {hasFactor && (
        <WithPassword
          title={rich('Remove the second factor of {name}?', { name })}
          action={t('Remove second factor')}
          to={operatorPaths.removeSecondFactor(id)}
        >
          <p>{t('Their password alone is enough then. Be sure that it is them who ask.')}</p>
        </WithPassword>
      )}
      {suspended_at ? (
        <WithPassword
          title={rich('Lift the suspension of {name}?', { name })}
          action={t('Lift suspension')}
          to={operatorPaths.unsuspend(id)}
        >
          <p>{t('They can sign in again. What ended with the suspension does not come back.')}</p>
        </WithPassword>
      ) : (
        <FormDialog
          trigger={<SmallButton>{t('Suspend')}</SmallButton>}
          title={rich('Suspend {name}?', { name })}
          explanation={t('Sessions, tokens and invitations of theirs end. What they own stays.')}
          action={t('Suspend')}
          look="danger"
          to={operatorPaths.suspend(id)}
        >
          <Field
            name="reason"
            label={t('Reason')}
            hint={t('Only operators see it.')}
            maxLength={200}
            required
            autoComplete="off"
          />
          <CurrentPasswordField />
        </FormDialog>
      )}
      <FormDialog
        trigger={<SmallButton>{t('Delete user')}</SmallButton>}
        title={rich('Delete {name}?', { name })}
        explanation={t('Workspaces that they have alone go with them. It can’t be undone.')}
        action={t('Delete user')}
        look="danger"
        to={operatorPaths.deleteUser(id)}
      >
        <Field
          name="address"
          label={t('Their email')}
          hint={rich('Type {email} to make sure that it is them.', { email })}
          sentences={{ [t('is not theirs')]: () => t('This user has another address.') }}
          {...asTyped}
          required
          autoComplete="off"
        />
        <CurrentPasswordField />
      </FormDialog>
    </div>
  )
}
