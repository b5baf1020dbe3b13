import { router } from '@inertiajs/react'
import { History } from 'lucide-react'
import { webhookChannelName, webhookPaths } from '../../features/webhooks/paths.ts'
import type { DeliveryProps } from '../../features/webhooks/props.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { useChannel } from '../live/hooks.ts'
import { reload } from '../live/reload.ts'
import { SmallButton } from '../shared/button.tsx'
import { Facts } from '../shared/facts.tsx'
import { More } from '../shared/more.tsx'
import { Time } from '../shared/time.tsx'
import { Topic } from '../shared/topic.tsx'
import { plural, rich, t } from '../words/t.ts'

const live = ['deliveries', 'webhook']

/** The last 30 days, live. */
export function Deliveries({ account, webhook, types, deliveries }: PageProps<'accounts/webhook'>) {
  const channel = JSON.stringify({ account: account.slug, channel: webhookChannelName })
  useChannel(channel, { onMessage: () => reload(live), onOpen: (missed) => missed && reload(live) })
  const labelOf = (name: string) =>
    name === 'test' ? t('Test') : (types.find((type) => type.name === name)?.label ?? name)
  const again = (id: number) =>
    router.post(webhookPaths.sendAgain(account.slug, webhook.id, id).url, {}, { preserveScroll: true })

  return (
    <Topic
      icon={History}
      title={t('Deliveries')}
      explanation={deliveries.length === 0 ? t('Nothing was sent yet.') : t('Those of the last 30 days.')}
    >
      <ul>
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="row row-plain" data-row tabIndex={-1}>
            <div className="row-text">
              <Facts title={labelOf(delivery.type)}>
                <Time at={delivery.created_at} relative />
                {delivery.tries > 0 && plural(delivery.tries, '{count} try', '{count} tries')}
              </Facts>
              <span>{stateInWords(delivery)}</span>
            </div>
            {delivery.state !== 'waiting' && !webhook.disabled_at && (
              <div className="row-actions">
                <SmallButton onClick={() => again(delivery.id)}>{t('Send again')}</SmallButton>
              </div>
            )}
          </li>
        ))}
      </ul>
      <More of="deliveries" shown={deliveries.length} />
    </Topic>
  )
}

function stateInWords({ state, status, tries }: DeliveryProps) {
  if (state === 'delivered') return rich('Delivered: the receiver answered {status}.', { status: String(status) })
  const reason = tries > 0 || status !== null ? reasonOf(status) : undefined
  if (state === 'failed') return reason ?? t('It was not sent: the webhook was disabled, or the activity is gone.')
  return reason ? rich('{reason} It is tried again.', { reason: <>{reason}</> }) : t('It is about to be sent.')
}

/** Why the last try failed. */
function reasonOf(status: DeliveryProps['status']) {
  if (status === 'late') return t('The receiver did not answer within 15 seconds.')
  if (status === 'secret_unreadable') return t("The secret can't be read, since the server's key has changed. Roll it.")
  if (status === 'unreachable')
    return t("The receiver can't be reached: look at its name, its certificate and its firewall.")
  if (status === 410) return t('The receiver answered 410: it wants nothing more, so the webhook is disabled.')
  if (typeof status === 'number' && status >= 300 && status < 400)
    return t('The receiver answered {status}, a redirect, which is not followed. Enter the URL it leads to.', {
      status,
    })
  return t('The receiver answered {status}. Only 200 to 299 count as delivered.', { status: String(status) })
}
