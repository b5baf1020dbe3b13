import { eq } from 'drizzle-orm'
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

  receiver.answers.set('/silent', () => {})
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
  for (const webhook of added) {
    const secret = sealSecret(app, webhook, createSecret())
    await db.update(webhooks).set({ secret }).where(eq(webhooks.id, webhook.id))
  }
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
  for (let n = 1; n <= 10; n++) {
    const begun = Date.now()
    await calm.rename(`Calm ${n}`)
    const arrived = (await receiver.until(calm.hook, n + 1)).at(-1)
    t.ok(Number(arrived?.at) - begun < 1_000, `${Number(arrived?.at) - begun} ms`)
  }
  t.equal(receiver.at('/silent').length, 100, 'half of all places are left to others')
})
