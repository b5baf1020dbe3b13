import { defineSettings, oneOf } from '../../plugins/settings.ts'

declare module '../../plugins/settings.ts' {
  interface OptionConfig {
    /** Undefined if workspaces have none. */
    webhooks: { allowPrivate: boolean } | undefined
  }
}

defineSettings({
  variables: { WEBHOOKS: oneOf('on', 'off'), WEBHOOK_PRIVATE_TARGETS: oneOf('refuse', 'allow') },
  read: ({ WEBHOOKS, WEBHOOK_PRIVATE_TARGETS }) => ({
    webhooks: WEBHOOKS === 'off' ? undefined : { allowPrivate: WEBHOOK_PRIVATE_TARGETS === 'allow' },
  }),
})
