import { destroy, get, patch, post } from '../paths.ts'

export const webhookPaths = {
  webhooks: (slug: string) => get(`/${slug}/webhooks`),
  addWebhook: (slug: string) => post(`/${slug}/webhooks`),
  webhook: (slug: string, id: number) => get(`/${slug}/webhooks/${id}`),
  changeWebhook: (slug: string, id: number) => patch(`/${slug}/webhooks/${id}`),
  removeWebhook: (slug: string, id: number) => destroy(`/${slug}/webhooks/${id}`),
  rollWebhookSecret: (slug: string, id: number) => post(`/${slug}/webhooks/${id}/secret`),
  enableWebhook: (slug: string, id: number) => post(`/${slug}/webhooks/${id}/enable`),
  testWebhook: (slug: string, id: number) => post(`/${slug}/webhooks/${id}/test`),
  sendAgain: (slug: string, id: number, deliveryId: number) =>
    post(`/${slug}/webhooks/${id}/deliveries/${deliveryId}/retry`),
}

/** Tells managers what became of deliveries. */
export const webhookChannelName = 'WebhookChannel'
