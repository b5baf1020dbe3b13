import { Link } from '@inertiajs/react'
import { Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { webhookPaths } from '../../../features/webhooks/paths.ts'
import type { WebhookProps } from '../../../features/webhooks/props.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { CurrentPasswordField } from '../../forms/current-password-field.tsx'
import { AppLayout } from '../../layouts/app.tsx'
import { OneMore } from '../../settings/removable.tsx'
import { VerifyFirst } from '../../settings/verify-first.tsx'
import { Empty } from '../../shared/arch.tsx'
import { Facts } from '../../shared/facts.tsx'
import { Heading } from '../../shared/heading.tsx'
import { Day, Time } from '../../shared/time.tsx'
import { Topic } from '../../shared/topic.tsx'
import { plural, rich, t } from '../../words/t.ts'
import { workspaceName } from '../../words/workspace.tsx'
import { Secret, Verification } from '../secret.tsx'
import { TypeChoice, UrlField } from '../webhook-fields.tsx'

const most = 10

type Props = PageProps<'accounts/webhooks'>

export default function Webhooks(props: Props) {
  const { account, webhooks, auth } = props
  return (
    <div className="settings-section account-settings">
      <Heading title={t('Webhooks')}>
        {rich('What happens in {name} is sent to programs of yours, at once and signed.', {
          name: workspaceName(account),
        })}
      </Heading>
      <VerifyFirst />
      <Secret />
      <Topic icon={WebhookIcon} title={t('Webhooks')} action={auth.user?.verified && <AddWebhook {...props} />}>
        {webhooks.length === 0 && <Empty>{t('There are no webhooks yet.')}</Empty>}
        <ul>
          {webhooks.map((webhook) => (
            <li key={webhook.id} className="row row-plain">
              <div className="row-text">
                <Link className="link" href={webhookPaths.webhook(account.slug, webhook.id).url}>
                  <bdi dir="ltr">{webhook.url}</bdi>
                </Link>
                <State {...webhook} />
              </div>
            </li>
          ))}
        </ul>
      </Topic>
      <Verification />
    </div>
  )
}

function State({ types, created_at, created_by, disabled_at, failing_since }: WebhookProps) {
  return (
    <Facts>
      {types[0] === '*' ? t('Everything') : plural(types.length, '{count} type', '{count} types')}
      {rich('added {day} by {name}', { day: <Day at={created_at} />, name: created_by ?? t('a deleted user') })}
      {disabled_at
        ? rich('disabled since {time}', { time: <Time at={disabled_at} relative /> })
        : failing_since && rich('failing since {time}', { time: <Time at={failing_since} relative /> })}
    </Facts>
  )
}

function AddWebhook({ account, webhooks, types }: Props) {
  const [chosen, setChosen] = useState(['*'])
  return (
    <OneMore
      isFull={webhooks.length >= most}
      full={t('This workspace has {max} webhooks already', { max: most })}
      explanation={t('You get a secret with which your receiver verifies what arrives.')}
      action={t('Add a webhook')}
      to={webhookPaths.addWebhook(account.slug)}
      data={{ types: chosen }}
    >
      <UrlField />
      <TypeChoice account={account} types={types} chosen={chosen} onChoose={setChosen} />
      <CurrentPasswordField />
    </OneMore>
  )
}

Webhooks.layout = AppLayout
