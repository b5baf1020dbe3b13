import { webhookDeliveries, webhooks } from '../../drizzle/tables/webhooks.ts'
import { disable } from '../../features/webhooks/endings.ts'
import { addWebhook, changeWebhook, removeWebhook, sendAgain } from '../../features/webhooks/webhooks.ts'
import type { Database } from '../../plugins/database/index.ts'
import { byDigest } from '../helpers/people.ts'
import type { World } from '../locks/writers.ts'

// What test/locks lets collide.

const types = ['*']

/** One that this user added, and a delivery that has failed. */
export async function webhookOf(db: Database, accountId: number, userId: number, now: Date) {
  const by = { createdById: userId, createdAt: now, urlById: userId, urlAt: now }
  const target = { accountId, url: 'https://hooks.example.com/', types, secret: 'sealed', ...by }
  const [webhook] = await db.insert(webhooks).values(target).returning()
  if (!webhook) throw new Error('no webhook')
  const failed = {
    webhookId: webhook.id,
    accountId,
    type: 'test',
    state: 'failed',
    createdAt: now,
    dueAt: now,
  } as const
  const [delivery] = await db.insert(webhookDeliveries).values(failed).returning()
  return { webhook, deliveryId: delivery?.id ?? 0 }
}

const byMember = ({ actorAt, acme, member }: World) => actorAt(acme.id, member)
const byOwner = ({ actorAt, acme, owner }: World) => actorAt(acme.id, owner)
const proofOf = ({ member }: World) => byDigest(member.passwordDigest)

export const webhookWriters: Record<string, (world: World) => Promise<unknown>> = {
  webhook: (world) =>
    addWebhook(world.app, byMember(world), { url: world.webhook.url, types, reauthentication: proofOf(world) }),
  'another URL of a webhook': (world) => {
    const wanted = { url: 'https://other.example.com/', types, reauthentication: proofOf(world) }
    return changeWebhook(world.app, byOwner(world), world.webhook.id, wanted)
  },
  'removal of a webhook': (world) => removeWebhook(world.app, byOwner(world), world.webhook.id),
  'delivery sent again': (world) => sendAgain(world.app, byOwner(world), world.webhook.id, world.deliveryId, () => {}),
  'webhook that stops': ({ app, db, webhook }) => db.transaction((tx) => disable(app, tx, webhook)),
}
