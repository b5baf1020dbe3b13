import { defineKinds, type OfAccount } from '../activity/activities.ts'

/** Never the URL, whose path may be a secret. */
type About = { webhook_id: number; host: string }

export interface WebhookActivities {
  webhook_added: OfAccount<About>
  webhook_changed: OfAccount<About>
  webhook_removed: OfAccount<About>
  webhook_secret_rolled: OfAccount<About>
  webhook_enabled: OfAccount<About>
  /** By us, after a 410 or five days of failures, or since whoever added it lost their account. */
  webhook_disabled: OfAccount<About>
}

declare module '../activity/activities.ts' {
  interface Activities extends WebhookActivities {}
}

defineKinds({
  webhook_added: 'account',
  webhook_changed: 'account',
  webhook_removed: 'account',
  webhook_secret_rolled: 'account',
  webhook_enabled: 'account',
  webhook_disabled: 'account',
})
