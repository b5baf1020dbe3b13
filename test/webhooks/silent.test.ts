import { and, eq, isNotNull, ne } from 'drizzle-orm'
import t from 'tap'
import { accounts } from '../../drizzle/schema.ts'
import { webhookDeliveries, webhooks } from '../../drizzle/tables/webhooks.ts'
import { createSecret, sealSecret } from '../../features/webhooks/secrets.ts'
import { startWebhooks } from '../helpers/webhooks.ts'

const { app, db, clock, receiver, acmeWith } = await startWebhooks(t)
const types = ['account_renamed']
const workspaces = 60
const hooks = 10

t.test('sixty workspaces whose ten receivers never answer delay nobody whose receiver does', async (t) => {
  const calm = await acmeWith({ types })
  await calm.test()
  await calm.untilDelivery('test', { state: 'delivered' })

  let ended = 0
  receiver.answers.set('/silent', (response) => response.once('close', () => ended++))
  const names = Array.from({ length: workspaces }, (_, n) => ({ name: `Silent ${n}`, slug: `silent-${n}` }))
  const silent = await db.insert(accounts).values(names).returning()
  const now = app.now()
  const at = { createdAt: now, urlAt: now }
  const added = await db
    .insert(webhooks)
    .values(
      silent.flatMap(({ id: accountId }) =>
        Array.from({ length: hooks }, () => ({ accountId, url: `${receiver.url}/silent`, types, secret: '', ...at })),
      ),
    )
    .returning()
  await Promise.all(
    added.map((webhook) => {
      const secret = sealSecret(app, webhook, createSecret())
      return db.update(webhooks).set({ secret }).where(eq(webhooks.id, webhook.id))
    }),
  )
  const dueAt = new Date(now.getTime() + 3_600_000)
  const due = added.map(({ id: webhookId, accountId }) => ({
    webhookId,
    accountId,
    type: 'test',
    createdAt: now,
    dueAt,
  }))
  for (let n = 0; n < 2; n++) await db.insert(webhookDeliveries).values(due)

  clock.forward({ hours: 1 })
  await receiver.until('/silent', 100)
  let waitsForNone = false
  // Each of them ends after 15 seconds, which may be in between on a busy machine.
  for (let n = 1; n <= 10 && !waitsForNone; n++) {
    const before = ended
    await calm.rename(`Calm ${n}`)
    await receiver.until(calm.hook, n + 1)
    waitsForNone = ended === before
    const underWay = and(isNotNull(webhookDeliveries.claim), ne(webhookDeliveries.webhookId, calm.id))
    t.ok((await db.$count(webhookDeliveries, underWay)) <= 100, 'half of all places are left to others')
  }
  t.ok(waitsForNone)
})
