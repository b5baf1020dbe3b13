import { operatorPaths } from '../../features/operators/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { Field } from '../forms/field.tsx'
import { FormDialog, WithPassword } from '../popups/with-password.tsx'
import { SmallButton } from '../shared/button.tsx'
import { t } from '../words/t.ts'

type Props = Pick<PageProps<'operators/user'>, 'user'> & { hasFactor: boolean }

/** What an operator may do for a user. Each asks for the operator's own password. */
export function UserActions({ user: { id, suspended_at }, hasFactor }: Props) {
  return (
    <div className="actions">
      <WithPassword title={t('End all sessions?')} action={t('End sessions')} to={operatorPaths.endSessions(id)}>
        <p>{t('They are signed out everywhere, and can sign in again.')}</p>
      </WithPassword>
      {hasFactor && (
        <WithPassword
          title={t('Remove the second factor?')}
          action={t('Remove second factor')}
          to={operatorPaths.removeSecondFactor(id)}
        >
          <p>{t('Their password alone is enough then. Be sure that it is them who ask.')}</p>
        </WithPassword>
      )}
      {suspended_at ? (
        <WithPassword title={t('Lift the suspension?')} action={t('Lift suspension')} to={operatorPaths.unsuspend(id)}>
          <p>{t('They can sign in again. What ended with the suspension does not come back.')}</p>
        </WithPassword>
      ) : (
        <FormDialog
          trigger={<SmallButton>{t('Suspend')}</SmallButton>}
          title={t('Suspend this user?')}
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
      <WithPassword
        title={t('Delete this user?')}
        action={t('Delete user')}
        look="danger"
        to={operatorPaths.deleteUser(id)}
      >
        <p>{t('Workspaces that they have alone go with them. It can’t be undone.')}</p>
      </WithPassword>
    </div>
  )
}
