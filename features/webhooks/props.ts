import type { Webhook, WebhookDelivery } from '../../drizzle/tables/webhooks.ts'
import type { InAccount } from '../accounts/props.ts'

export type WebhookProps = ReturnType<typeof presentWebhook>
export const presentWebhook = ({ creator, ...webhook }: Webhook & { creator: string | null }) => ({
  id: webhook.id,
  url: webhook.url,
  types: webhook.types,
  created_at: webhook.createdAt.toISOString(),
  created_by: creator,
  disabled_at: webhook.disabledAt?.toISOString() ?? null,
  failing_since: webhook.failingSince?.toISOString() ?? null,
})

export type DeliveryProps = ReturnType<typeof presentDelivery>
export const presentDelivery = ({ id, type, state, status, tries, createdAt, lastTriedAt }: WebhookDelivery) => ({
  id,
  type,
  state,
  status: status !== null && /^\d+$/.test(status) ? Number(status) : status,
  tries,
  created_at: createdAt.toISOString(),
  last_tried_at: lastTriedAt?.toISOString() ?? null,
})

export type TypeProps = { name: string; label: string }

declare module '../../plugins/inertia/pages.ts' {
  interface Flash {
    secret?: string
  }
  interface Pages {
    'accounts/webhooks': InAccount & { webhooks: WebhookProps[]; types: TypeProps[] }
    'accounts/webhook': InAccount & { webhook: WebhookProps; types: TypeProps[]; deliveries: DeliveryProps[] }
  }
}
