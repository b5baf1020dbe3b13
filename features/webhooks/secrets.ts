import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Webhook } from '../../drizzle/tables/webhooks.ts'

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

/** Undefined unless they were sealed under an older key of ours. */
export function renewedSecrets({ sealing }: FastifyInstance, webhook: Webhook) {
  const secret = sealing.renew(webhook.secret, ownerOf(webhook))
  const previousSecret = webhook.previousSecret && sealing.renew(webhook.previousSecret, ownerOf(webhook))
  return secret === webhook.secret && previousSecret === webhook.previousSecret ? undefined : { secret, previousSecret }
}

export function sign(secrets: string[], id: string, timestamp: number, body: Buffer) {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    return `v1,${hmac.update(`${id}.${timestamp}.`).update(body).digest('base64')}`
  })
  return signatures.join(' ')
}
