import { router } from '@inertiajs/react'
import { CirclePause, Settings2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { webhookPaths } from '../../../features/webhooks/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { CurrentPasswordField } from '../../forms/current-password-field.tsx'
import { Form, Submit } from '../../forms/form.tsx'
import { AppLayout } from '../../layouts/app.tsx'
import { Ask } from '../../popups/dialog.tsx'
import { FormDialog, WithPassword } from '../../popups/with-password.tsx'
import { Alert } from '../../shared/alert.tsx'
import { SmallButton } from '../../shared/button.tsx'
import { Heading } from '../../shared/heading.tsx'
import { Time } from '../../shared/time.tsx'
import { Topic } from '../../shared/topic.tsx'
import { rich, t } from '../../words/t.ts'
import { Deliveries } from '../deliveries.tsx'
import { Secret, Verification } from '../secret.tsx'
import { TypeChoice, UrlField } from '../webhook-fields.tsx'

type Props = PageProps<'accounts/webhook'>

const stay = { preserveScroll: true }

export default function Webhook(props: Props) {
  const { account, webhook, types } = props
  const [chosen, setChosen] = useState(webhook.types)
  const { slug } = account
  const post = (path: { url: string }) => router.post(path.url, {}, stay)

  return (
    <div className="settings-section account-settings">
      <Heading title={t('Webhook')}>
        <bdi dir="ltr">{webhook.url}</bdi>
      </Heading>
      <Secret />
      <State {...props} />
      <Topic
        icon={Settings2}
        title={t('What to send')}
        explanation={t('A change counts for what happens from now on.')}
        action={
          <div className="row-actions">
            {!webhook.disabled_at && (
              <SmallButton onClick={() => post(webhookPaths.testWebhook(slug, webhook.id))}>
                {t('Send a test')}
              </SmallButton>
            )}
            <FormDialog
              title={t('Change the URL')}
              explanation={t('The secret stays the same.')}
              trigger={<SmallButton>{t('Change the URL…')}</SmallButton>}
              action={t('Change the URL')}
              to={webhookPaths.changeWebhook(slug, webhook.id)}
            >
              <UrlField url={webhook.url} />
              <CurrentPasswordField />
            </FormDialog>
            <WithPassword
              title={t('Roll the secret?')}
              trigger={<SmallButton>{t('Roll the secret…')}</SmallButton>}
              action={t('Roll')}
              to={webhookPaths.rollWebhookSecret(slug, webhook.id)}
            >
              {t('You get a new secret. The old one signs beside it for 24 hours, so that your receiver has time.')}
            </WithPassword>
          </div>
        }
      >
        <div className="padded">
          <Form to={webhookPaths.changeWebhook(slug, webhook.id)} data={{ types: chosen }} saves>
            <TypeChoice account={account} types={types} chosen={chosen} onChoose={setChosen} />
            <Submit>{t('Save')}</Submit>
          </Form>
        </div>
      </Topic>
      <Deliveries {...props} />
      <Verification />
      <Topic
        icon={Trash2}
        title={t('Remove the webhook')}
        explanation={t('Nothing more is sent there, and its deliveries are forgotten.')}
        action={
          <Ask
            trigger={<SmallButton look="danger">{t('Remove…')}</SmallButton>}
            title={t('Remove the webhook?')}
            explanation={t('Nothing more is sent there, and its deliveries are forgotten.')}
            action={t('Remove')}
            onConfirm={() => router.delete(webhookPaths.removeWebhook(slug, webhook.id).url)}
          />
        }
      />
    </div>
  )
}

function State({ account, webhook }: Props) {
  const { disabled_at, failing_since, id } = webhook
  if (disabled_at) {
    return (
      <Topic
        icon={CirclePause}
        title={t('The webhook is disabled')}
        explanation={rich('Nothing is sent since {time}. What it missed is not sent later.', {
          time: <Time at={disabled_at} relative />,
        })}
        action={
          <SmallButton
            look="primary"
            onClick={() => router.post(webhookPaths.enableWebhook(account.slug, id).url, {}, stay)}
          >
            {t('Enable')}
          </SmallButton>
        }
      />
    )
  }
  if (!failing_since) return null
  return (
    <Alert>
      <span>
        {rich('It fails since {time}. After five days of failures it is disabled.', {
          time: <Time at={failing_since} relative />,
        })}
      </span>
    </Alert>
  )
}

Webhook.layout = AppLayout
