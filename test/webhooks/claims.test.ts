import { setImmediate as turn } from 'node:timers/promises'
import type { SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { createQueue } from '../../features/webhooks/places.ts'
import { type Due, findDue } from '../../features/webhooks/queue.ts'
import { createWorker } from '../../features/webhooks/worker.ts'
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

/** As many workspaces with two webhooks each, for which more is always due, and who has a place. */
function queueOf(workspaces: number, quick = new Set<number>()) {
  const queue = createQueue()
  const underWay: Due[] = []
  const add = (accountId: number) => {
    for (const webhookId of [2 * accountId, 2 * accountId + 1]) queue.add({ accountId, webhookId })
  }
  const begin = () => {
    for (let begun = queue.take(underWay, quick); begun.length > 0; begun = queue.take(underWay, quick)) {
      underWay.push(...begun)
      for (const each of begun) queue.add(each)
    }
  }
  for (let n = 0; n < workspaces; n++) add(n)
  begin()
  return { underWay, add, begin }
}

t.test('sixty workspaces whose receivers were quick and answer nothing now leave places to others', async (t) => {
  const { underWay, add, begin } = queueOf(60, new Set(Array.from({ length: 122 }, (_, webhookId) => webhookId)))
  add(60)
  begin()
  t.equal(underWay.filter(({ accountId }) => accountId === 60).length, 1)
})

t.test('where places are few, workspaces have them by turns', async (t) => {
  const { underWay, begin } = queueOf(150)
  const turns: number[] = []
  for (let ended = 0; ended < 400; ended++) {
    underWay.shift()
    const before = underWay.length
    begin()
    turns.push(...underWay.slice(before).map(({ accountId }) => accountId))
  }
  t.equal(new Set(turns.slice(-150)).size, 150)
})

const textsOf = (statement: SQL) =>
  statement.queryChunks.flatMap((chunk) => (chunk as { value?: string[] })?.value ?? [])

t.test('a stop waits for what was being claimed', async (t) => {
  const due = { accountId: 1, webhookId: 1 }
  const { promise: claimed, resolve } = Promise.withResolvers<object[]>()
  const updating = { set: () => ({ where: () => ({ returning: () => claimed }) }) }
  const slow = { update: () => updating, execute: async () => ({ rows: [] }) }
  let isSent = false
  const worker = createWorker({ now: app.now, log: app.log, db: slow } as unknown as FastifyInstance, async () => {
    await turn()
    isSent = true
  })
  worker.start()
  worker.wake([due])
  const stopped = worker.stop()
  resolve([{ ...due, id: 1 }])
  await stopped
  t.ok(isSent)
})

t.test('a stop right after a start, before it has begun, is not undone', async (t) => {
  const db = { execute: async () => t.fail('something is looked for') }
  const worker = createWorker({ now: app.now, log: app.log, db } as unknown as FastifyInstance, async () => {})
  await worker.stop()
  worker.start()
})
