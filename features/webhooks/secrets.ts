import { createHmac, randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Webhook, webhooks } from '../../drizzle/tables/webhooks.ts'

// As Standard Webhooks 1.0 has them: https://www.standardwebhooks.com

const prefix = 'whsec_'

export const createSecret = () => prefix + randomBytes(32).toString('base64')

type Owner = Pick<Webhook, 'accountId' | 'id'>

const ownerOf = ({ accountId, id }: Owner) => `webhook ${accountId} ${id}`

export const sealSecret = ({ sealing }: FastifyInstance, webhook: Owner, secret: string) =>
  sealing.seal(secret, ownerOf(webhook))

/** Those that sign now, the current one first. Undefined if that can't be opened. */
export function signingSecrets({ sealing, now }: FastifyInstance, webhook: Webhook) {
  const { secret, previousSecret, previousSecretUntil } = webhook
  const current = sealing.open(secret, ownerOf(webhook))
  if (current === undefined) return undefined
  const isPrevious = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now()
  const previous = isPrevious ? sealing.open(previousSecret, ownerOf(webhook)) : undefined
  return previous === undefined ? [current] : [current, previous]
}

/** Seals them anew if that was done under an older key of ours. */
export async function renewSecrets({ sealing, db }: FastifyInstance, webhook: Webhook) {
  const secret = sealing.renew(webhook.secret, ownerOf(webhook))
  const previousSecret = webhook.previousSecret && sealing.renew(webhook.previousSecret, ownerOf(webhook))
  if (secret === webhook.secret && previousSecret === webhook.previousSecret) return
  const isSame = and(eq(webhooks.id, webhook.id), eq(webhooks.secret, webhook.secret))
  await db.update(webhooks).set({ secret, previousSecret }).where(isSame)
}

export function sign(secrets: string[], id: string, timestamp: number, body: Buffer) {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    return `v1,${hmac.update(`${id}.${timestamp}.`).update(body).digest('base64')}`
  })
  return signatures.join(' ')
}
