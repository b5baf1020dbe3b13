import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { accounts } from '../../drizzle/schema.ts'
import { webhookDeliveries, webhooks } from '../../drizzle/tables/webhooks.ts'
import { claimNext, findDue, finish } from '../../features/webhooks/queue.ts'
import { findWebhook } from '../../features/webhooks/webhooks.ts'
import { collectLines, listen, startApp } from '../helpers/app.ts'
import { startWebhooks } from '../helpers/webhooks.ts'

const { lines, logTo } = collectLines()
const { app, db, url, receiver, acmeWith } = await startWebhooks(t, {}, { logTo })
const allow = { DATABASE_URL: url, WEBHOOK_PRIVATE_TARGETS: 'allow' }
const types = ['account_renamed']

const rowsOf = (webhookId: number) =>
  db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhookId))

t.test('two processes never make the same try', async (t) => {
  const { app: other } = await startApp(t, allow)
  await listen(other)
  const hooks = await Promise.all(Array.from({ length: 4 }, () => acmeWith({ types })))
  const now = app.now()
  const waiting = (accountId: number, webhookId: number) =>
    Array.from({ length: 25 }, () => ({ webhookId, accountId, type: 'test', createdAt: now, dueAt: now }))
  await db.insert(webhookDeliveries).values(hooks.flatMap(({ account, id }) => waiting(account.id, id)))
  for (const { hook, id } of hooks) {
    await receiver.until(hook, 25)
    while ((await rowsOf(id)).some(({ state }) => state === 'waiting')) await sleep(20)
    t.same(new Set(receiver.at(hook).map(({ headers }) => headers['webhook-id'])).size, 25)
    t.equal(receiver.at(hook).length, 25)
    t.ok((await rowsOf(id)).every(({ tries }) => tries === 1))
  }
})

t.test('what a process found due and another has tried meanwhile is not tried again', async (t) => {
  const { app, db } = await startApp(t) // which looks for nothing by itself, as it doesn't listen
  const now = app.now()
  const [acme] = await db.insert(accounts).values({ name: 'Acme', slug: 'acme' }).returning()
  const target = { accountId: acme?.id ?? 0, url: 'https://hooks.example.com/', types, secret: '' }
  const [webhook] = await db
    .insert(webhooks)
    .values({ ...target, createdAt: now, urlAt: now })
    .returning()
  if (!webhook) throw new Error('no webhook')
  const due = { webhookId: webhook.id, accountId: webhook.accountId, type: 'test', createdAt: now, dueAt: now }
  await db.insert(webhookDeliveries).values([due, due])

  const found = await findDue(app)
  const [[delivered], [failed]] = [await claimNext(app, found), await claimNext(app, found)]
  if (!delivered || !failed) throw new Error('nothing was claimed')
  await finish(app, delivered, webhook, { isDelivered: true, status: '204' })
  const nextAt = new Date(now.getTime() + 5_000)
  await finish(app, failed, webhook, { isDelivered: false, status: '503', nextAt })
  t.same(await claimNext(app, found), [])
})

t.test('what a process claimed that died is tried by another, and what it says late is ignored', async (t) => {
  const acme = await acmeWith({ types })
  const due = { type: 'test', createdAt: app.now(), dueAt: app.now() }
  const claimed = { claim: 'of the dead', claimedUntil: new Date(Date.now() + 45_000) }
  const values = { ...due, ...claimed, webhookId: acme.id, accountId: acme.account.id }
  const [row] = await db.insert(webhookDeliveries).values(values).returning()
  if (!row) throw new Error('nothing was claimed')
  t.same(await findDue(app), [], 'while its claim lasts')
  await db.update(webhookDeliveries).set({ claimedUntil: new Date() }).where(eq(webhookDeliveries.id, row.id))
  t.match(await acme.untilDelivery('test', { state: 'delivered' }), { tries: 1 })
  const late = { ...row, claim: 'of the dead' }
  const outcome = { isDelivered: false, status: 'late' }
  await finish(app, late, await findWebhook(db, acme.account.id, acme.id), outcome)
  t.match(await acme.untilDelivery('test', {}), { state: 'delivered', status: 204, tries: 1 })
})

t.test('what was committed before a crash is sent by the next process', async (t) => {
  const acme = await acmeWith({ types })
  const { app: crashing } = await startApp(t, allow)
  await acme.owner.browser.copy(crashing).submit('PATCH', `${acme.path}/settings`, { name: 'Before the crash' })
  const [sent] = await receiver.until(acme.hook, 1)
  t.match(JSON.parse(sent?.body ?? ''), { data: { details: { to: 'Before the crash' } } })
})

t.test('the database goes away during a try: it is made again, with its id', async (t) => {
  const acme = await acmeWith({ types })
  const held: (() => void)[] = []
  receiver.answers.set(acme.hook, (response) => held.push(() => response.writeHead(204).end()))
  await acme.rename('Other')
  await receiver.until(acme.hook, 1)
  await db.execute(sql`alter table webhook_deliveries rename to elsewhere`)
  held.shift()?.()
  while (!lines.some(({ msg }) => msg === 'a delivery of a webhook failed')) await sleep(20)
  await db.execute(sql`alter table elsewhere rename to webhook_deliveries`)
  receiver.answers.delete(acme.hook)
  await db.execute(sql`update webhook_deliveries set claimed_until = now() where state = 'waiting'`)
  await acme.untilDelivery('account_renamed', { state: 'delivered' })
  const ids = receiver.at(acme.hook).map(({ headers }) => headers['webhook-id'])
  t.equal(ids.length, 2)
  t.equal(new Set(ids).size, 1)
})

t.test('at a shutdown a try may end, and one that does not is left to the next process', async (t) => {
  const closing = await startWebhooks(t, allow)
  const [quick, endless] = [await closing.acmeWith({ types }), await closing.acmeWith({ types })]
  const held: (() => void)[] = []
  closing.receiver.answers.set(quick.hook, (response) => held.push(() => response.writeHead(204).end()))
  closing.receiver.answers.set(endless.hook, () => {})
  await app.close() // or it would send them
  for (const each of [quick, endless]) await each.rename('Other')
  for (const { hook } of [quick, endless]) await closing.receiver.until(hook, 1)
  const closed = closing.app.close()
  held.shift()?.()
  await closed
  const { app: next, db } = await startApp(t, allow)
  const rows = await db.select().from(webhookDeliveries).orderBy(webhookDeliveries.id)
  const [delivered, left] = [quick, endless].map(({ id }) => rows.find(({ webhookId }) => webhookId === id))
  t.match(delivered, { state: 'delivered', tries: 1 })
  t.match(left, { state: 'waiting', tries: 0 })
  closing.receiver.answers.delete(endless.hook)
  await db
    .update(webhookDeliveries)
    .set({ claimedUntil: new Date() })
    .where(eq(webhookDeliveries.webhookId, endless.id))
  await listen(next)
  await closing.receiver.until(endless.hook, 2)
})
