import type { SQL } from 'drizzle-orm'
import t from 'tap'
import { choose } from '../../features/webhooks/places.ts'
import { type Due, findDue } from '../../features/webhooks/queue.ts'
import { startWebhooks } from '../helpers/webhooks.ts'

const { app, db, receiver, acmeWith } = await startWebhooks(t)

t.test('what is new is sent without a look at what waits elsewhere, for receivers that are down', async (t) => {
  const acme = await acmeWith({ types: ['account_renamed'] })
  const { execute } = db
  t.teardown(() => {
    db.execute = execute
  })
  db.execute = ((statement: SQL) => {
    if (!textsOf(statement).some((text) => text.includes('with recursive'))) return execute.call(db, statement)
    return Promise.reject(new Error('nobody looks'))
  }) as typeof execute
  await t.rejects(findDue(app), { message: 'nobody looks' }, 'they are known by how they begin')
  for (let round = 1; round <= 3; round++) {
    await acme.rename(`Acme ${round}`)
    await receiver.until(acme.hook, round)
  }
})

t.test('sixty workspaces whose receivers were quick and answer nothing now leave places to others', async (t) => {
  const quick = new Set(Array.from({ length: 122 }, (_, webhookId) => webhookId))
  const dueOf = (accountId: number) =>
    Array.from({ length: 10 }, (_, id) => ({ id, webhookId: 2 * accountId + (id % 2), accountId }))
  const underWay: Due[] = []
  for (let n = 0; n < 60; n++) underWay.push(...choose(dueOf(n), underWay, quick))
  t.equal(choose(dueOf(60), underWay, quick).length, 1)
})

const textsOf = (statement: SQL) =>
  statement.queryChunks.flatMap((chunk) => (chunk as { value?: string[] })?.value ?? [])
