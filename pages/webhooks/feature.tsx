import { KeyRound, Play, Trash2, Webhook, WebhookOff } from 'lucide-react'
import '../../features/webhooks/rights.ts'
import type { WebhookActivities } from '../../features/webhooks/activities.ts'
import { webhookPaths } from '../../features/webhooks/paths.ts'
import { text } from '../../plugins/languages/text.ts'
import type { Feature } from '../feature.ts'
import { rich } from '../words/t.ts'

export const webhooks: Feature<keyof WebhookActivities> = {
  option: 'webhooks',
  tab: { name: text('Webhooks'), path: webhookPaths.webhooks, right: 'webhooks.manage', besideSettings: true },
  mails: {
    webhook_added: text('A webhook was added'),
    webhook_changed: text('A webhook was changed'),
    webhook_removed: text('A webhook was removed'),
    webhook_disabled: text('A webhook stopped'),
    webhook_kept: text('A webhook that {name} added still sends', { name: text('Somebody') }),
  },
  icons: {
    webhook_added: Webhook,
    webhook_changed: Webhook,
    webhook_removed: Trash2,
    webhook_secret_rolled: KeyRound,
    webhook_enabled: Play,
    webhook_disabled: WebhookOff,
  },
  sentences: {
    webhook_added: ({ actor }, { details: { host } }) => rich('{actor} added a webhook to {host}', { actor, host }),
    webhook_changed: ({ actor }, { details: { host } }) =>
      rich('{actor} changed the webhook to {host}', { actor, host }),
    webhook_removed: ({ actor }, { details: { host } }) =>
      rich('{actor} removed the webhook to {host}', { actor, host }),
    webhook_secret_rolled: ({ actor }, { details: { host } }) =>
      rich('{actor} rolled the secret of the webhook to {host}', { actor, host }),
    webhook_enabled: ({ actor }, { details: { host } }) =>
      rich('{actor} enabled the webhook to {host}', { actor, host }),
    webhook_disabled: (_, { details: { host } }) => rich('The webhook to {host} was disabled', { host }),
  },
}
