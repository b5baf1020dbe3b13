import { oneOf } from '../../plugins/settings.ts'

export const webhookSettings = {
  WEBHOOKS: oneOf('on', 'off'),
  WEBHOOK_PRIVATE_TARGETS: oneOf('refuse', 'allow'),
}

type Variables = { WEBHOOKS: string; WEBHOOK_PRIVATE_TARGETS: string }

/** Undefined if workspaces have none. */
export const readWebhooks = ({ WEBHOOKS, WEBHOOK_PRIVATE_TARGETS }: Variables) => ({
  webhooks: WEBHOOKS === 'off' ? undefined : { allowPrivate: WEBHOOK_PRIVATE_TARGETS === 'allow' },
})
