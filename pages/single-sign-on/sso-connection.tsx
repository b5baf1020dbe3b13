import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { singleSignOnPaths } from '../../features/single-sign-on/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { Copyable } from '../accounts/copyable.tsx'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { asTyped, Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { WithPassword } from '../popups/with-password.tsx'
import { Alert } from '../shared/alert.tsx'
import { SmallButton } from '../shared/button.tsx'
import { Time } from '../shared/time.tsx'
import { Topic } from '../shared/topic.tsx'
import { rich, t } from '../words/t.ts'

type Props = Pick<PageProps<'accounts/sso'>, 'account' | 'connection' | 'callback_url' | 'start_url'>

export function Connection({ account, connection, callback_url, start_url }: Props) {
  const [isEdited, setEdited] = useState(false)
  const isOpen = isEdited || !connection

  return (
    <Topic
      icon={KeyRound}
      title={t('Provider')}
      explanation={
        isOpen ? (
          t('Register an OpenID Connect application there, with this redirect address:')
        ) : (
          <bdi dir="ltr">{connection.issuer}</bdi>
        )
      }
      more={
        <>
          {isOpen && <Copyable label={t('Redirect address')} text={callback_url} />}
          {connection && <State {...connection} />}
          {!isOpen && <Copyable label={t('Address for a tile')} text={start_url} />}
        </>
      }
      action={
        connection && (
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
        )
      }
    >
      {isOpen && (
        <div className="padded">
          <Form
            to={singleSignOnPaths.saveSingleSignOn(account.slug)}
            onSuccess={({ flash }) => flash.alert || setEdited(false)}
          >
            <Field
              name="issuer"
              label={t('Issuer')}
              inputMode="url"
              placeholder="https://login.example.com"
              defaultValue={connection?.issuer}
              {...asTyped}
              required
            />
            <Field
              name="client_id"
              label={t('Client ID')}
              autoComplete="off"
              defaultValue={connection?.client_id}
              {...asTyped}
              required
            />
            <Field
              name="client_secret"
              type="password"
              label={t('Client secret')}
              autoComplete="off"
              required={!connection}
              hint={connection && t('Leave empty to keep the current one.')}
            />
            <CurrentPasswordField />
            <Submit>{t('Save provider')}</Submit>
          </Form>
        </div>
      )}
    </Topic>
  )
}

const State = ({ used_at, failure }: NonNullable<Props['connection']>) => (
  <>
    <span>{used_at ? rich('Last used {time}.', { time: <Time at={used_at} relative /> }) : t('Not used yet.')}</span>
    {failure && (
      <Alert>
        <span>
          {rich('Last failure {time}: {reason}', {
            time: <Time at={failure.at} relative />,
            reason: reasonOf(failure.reason),
          })}
        </span>
      </Alert>
    )}
  </>
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
