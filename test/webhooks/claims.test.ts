import { type SQL, sql } from 'drizzle-orm'
import t from 'tap'
import { webhookDeliveries } from '../../drizzle/tables/webhooks.ts'
import { choose } from '../../features/webhooks/places.ts'
import { type Due, findDue } from '../../features/webhooks/queue.ts'
import { startWebhooks } from '../helpers/webhooks.ts'

const { app, db, receiver, acmeWith } = await startWebhooks(t)

t.test('what is new is sent with as few looks, however many wait elsewhere for receivers that are down', async (t) => {
  const acme = await acmeWith({ types: ['account_renamed'] })
  const id = sql`1000 + number`
  await db.execute(sql`
    insert into ${webhookDeliveries} (webhook_id, account_id, type, created_at, due_at)
    select ${id}, ${id}, 'account_renamed', now(), now() + interval '1 hour' from generate_series(1, 1000) number`)

  const [claim] = textsOf((await claimsDuring(() => findDue(app, [0, 0]))).at(0))
  t.ok(claim, 'they are counted by how they begin')
  let least = Number.POSITIVE_INFINITY
  // Every two seconds, all are looked at, in eleven statements.
  for (let round = 1; round <= 12 && least > 3; round++) {
    const claims = await claimsDuring(async () => {
      await acme.rename(`Acme ${round}`)
      await receiver.until(acme.hook, round)
    })
    least = Math.min(least, claims.length)
  }
  t.ok(least <= 3, `${least} looks`)
})

t.test('sixty workspaces whose receivers were quick and answer nothing now leave places to others', async (t) => {
  const quick = new Set(Array.from({ length: 122 }, (_, webhookId) => webhookId))
  const dueOf = (accountId: number) =>
    Array.from({ length: 10 }, (_, id) => ({ id, webhookId: 2 * accountId + (id % 2), accountId }))
  const underWay: Due[] = []
  for (let n = 0; n < 60; n++) underWay.push(...choose(dueOf(n), underWay, quick))
  t.equal(choose(dueOf(60), underWay, quick).length, 1)
})

const textsOf = (statement: SQL | undefined) =>
  (statement?.queryChunks ?? []).flatMap((chunk) => (chunk as { value?: string[] })?.value ?? [])

/** The claims that are made meanwhile. */
async function claimsDuring(work: () => Promise<unknown>) {
  const { execute } = db
  const claims: SQL[] = []
  db.execute = ((statement: SQL) => {
    if (textsOf(statement)[0]?.includes('with recursive waiting')) claims.push(statement)
    return execute.call(db, statement)
  }) as typeof execute
  await work().finally(() => {
    db.execute = execute
  })
  return claims
}
