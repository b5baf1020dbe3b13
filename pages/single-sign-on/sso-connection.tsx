import { router } from '@inertiajs/react'
import { useState } from 'react'
import { singleSignOnPaths } from '../../features/single-sign-on/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { WithPassword } from '../popups/with-password.tsx'
import { Alert } from '../shared/alert.tsx'
import { SmallButton } from '../shared/button.tsx'
import { Time } from '../shared/time.tsx'
import { plural, rich, t } from '../words/t.ts'
import { ProviderForm } from './provider-form.tsx'
import { Step } from './step.tsx'

type Props = Pick<PageProps<'accounts/sso'>, 'account' | 'connection' | 'callback_url'> & { isNext: boolean }

export function Connection({ account, connection, callback_url, isNext }: Props) {
  const [isEdited, setEdited] = useState(false)

  return (
    <Step
      number={2}
      title={t('Step 2 of 3: connect your provider')}
      state={connection ? 'done' : isNext ? 'now' : 'later'}
      summary={connection && <bdi dir="ltr">{connection.issuer}</bdi>}
    >
      {connection && (
        <div className="row-actions">
          <SmallButton onClick={() => setEdited(!isEdited)}>{isEdited ? t('Cancel') : t('Change')}</SmallButton>
          <WithPassword
            title={t('Remove the provider?')}
            action={t('Remove')}
            look="danger"
            to={singleSignOnPaths.removeSingleSignOn(account.slug)}
          >
            {t('Sessions that began with it end. People who have no password can set one by mail.')}
          </WithPassword>
        </div>
      )}
      {(isEdited || !connection) && (
        <ProviderForm
          to={singleSignOnPaths.saveSingleSignOn(account.slug)}
          connection={connection}
          redirectTo={callback_url}
          onSaved={() => setEdited(false)}
        >
          <CurrentPasswordField />
        </ProviderForm>
      )}
    </Step>
  )
}

/** The newest refusal at the provider. */
export const Failure = ({ account, connection }: Pick<Props, 'account' | 'connection'>) =>
  connection?.failure && (
    <Alert>
      <p>
        {rich('Last failure {time}: {reason}', {
          time: <Time at={connection.failure.at} relative />,
          reason: reasonOf(connection.failure.reason),
        })}{' '}
        {connection.failure.count > 1 &&
          plural(connection.failure.count, 'It happened once.', 'It happened {count} times in a row.')}
      </p>
      <SmallButton
        onClick={() => router.delete(singleSignOnPaths.dismissSsoFailure(account.slug).url, { preserveScroll: true })}
      >
        {t('Dismiss')}
      </SmallButton>
    </Alert>
  )

function reasonOf(reason: string) {
  const known: Record<string, string> = {
    secret_unreadable: t("The client secret can't be read, since the server's key has changed. Enter it again."),
    unreachable: t("The provider couldn't be reached, or took too long."),
    late: t('The provider took too long to answer.'),
    refused: t('The provider refused the connection.'),
    tls: t("The provider's certificate isn't valid."),
    cancelled: t('Somebody cancelled at the provider.'),
    no_address: t('The provider sent no verified address. It must send the claim “email”.'),
    foreign_address: t('Somebody’s address was at none of your verified domains.'),
    domain_unverified: t('The record of your domain is gone. Add it again.'),
    invalid_client: t('The provider refused the client ID or the secret.'),
    another_user: t('Somebody came back as another person than the one who was signed in.'),
    another_subject: t('The provider knows somebody’s address as another person than before.'),
  }
  const [, status] = /^it_answers_(\d+)$/.exec(reason) ?? []
  if (status) return t('The provider has a fault of its own: it answered {status}.', { status })
  return known[reason] ?? t('The answer of the provider was refused ({reason}).', { reason })
}
