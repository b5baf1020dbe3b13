import { declareRights } from '../accounts/rights.ts'

const rights = declareRights({ 'webhooks.manage': ['owner', 'admin'] })
type WebhookRights = typeof rights

declare module '../accounts/rights.ts' {
  interface Rights extends WebhookRights {}
}
