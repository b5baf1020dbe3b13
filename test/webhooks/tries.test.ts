import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { webhookDeliveries, webhooks } from '../../drizzle/tables/webhooks.ts'
import { collectLines } from '../helpers/app.ts'
import { untilWaiting } from '../helpers/database.ts'
import { startWebhooks } from '../helpers/webhooks.ts'

const { lines, logTo } = collectLines()
const { db, clock, receiver, acmeWith } = await startWebhooks(t, { LOG_LEVEL: 'info' }, { logTo })

const late = await acmeWith({ types: ['account_renamed'] })
receiver.answers.set(late.hook, () => {})
await late.rename('Other')

t.test('a receiver that redirects, resets, lies or never ends has failed, and is tried again', async (t) => {
  const acme = await acmeWith({ types: ['account_renamed'] })
  const { answers } = receiver
  const failsWith = async (status: number | string, tries: number) =>
    t.match(await acme.untilDelivery('account_renamed', { tries }), { status, state: 'waiting' })

  answers.set('/elsewhere', () => t.fail('a redirect was followed'))
  answers.set(acme.hook, (response) => response.writeHead(302, { location: '/elsewhere' }).end())
  await acme.rename('Other')
  await failsWith(302, 1)
  t.ok((await acme.visit()).webhook.failing_since)

  answers.set(acme.hook, (response) => response.destroy())
  clock.forward({ seconds: 7 })
  await failsWith('unreachable', 2)

  answers.set(acme.hook, (response) => response.socket?.end('HTTP/1.1 nonsense\r\n\r\n'))
  clock.forward({ minutes: 1.3 })
  await failsWith('unreachable', 3)

  let written = 0
  let closed: Promise<unknown> = Promise.resolve()
  answers.set(acme.hook, (response) => {
    closed = once(response, 'close')
    response.writeHead(500)
    const chunk = Buffer.alloc(65_536)
    const more = () => {
      while (!response.destroyed && written < 10_000_000 && response.write(chunk)) written += chunk.length
    }
    response.on('drain', more)
    more()
  })
  clock.forward({ minutes: 6.1 })
  await failsWith(500, 4)
  await closed
  t.ok(written < 10_000_000, 'the rest of its body is cut off')

  answers.delete(acme.hook)
  clock.forward({ minutes: 36.1 })
  t.match(await acme.untilDelivery('account_renamed', { state: 'delivered' }), { status: 204, tries: 5 })
  t.equal((await acme.visit()).webhook.failing_since, null)
  const ids = receiver.at(acme.hook).map(({ headers }) => headers['webhook-id'])
  t.equal(new Set(ids).size, 1, 'repeated with its id')
  const tried = lines.filter(({ webhook, msg }) => webhook === acme.id && msg === 'a webhook was tried')
  t.match(tried.at(-1), { type: 'account_renamed', status: '204', ms: Number })
  t.notOk(JSON.stringify(lines).includes(acme.hook), 'no line has the URL')
})

t.test('it is tried again no sooner than Retry-After says, an hour at most', async (t) => {
  const acme = await acmeWith({ types: ['account_renamed'] })
  receiver.answers.set(acme.hook, (response) => response.writeHead(503, { 'retry-after': '99999' }).end())
  await acme.rename('Other')
  await acme.untilDelivery('account_renamed', { tries: 1 })
  const [row] = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, acme.id))
  const pauseMs = Number(row?.dueAt) - Number(row?.lastTriedAt)
  t.ok(Math.abs(pauseMs - 3_600_000) < 5_000)
})

t.test('after eight tries in a day it has failed, can be sent again, and five days of that disable', async (t) => {
  const acme = await acmeWith({ types: ['account_renamed', 'webhook_disabled'] })
  receiver.answers.set(acme.hook, (response) => response.writeHead(500).end())
  const failForGood = async () => {
    for (let tries = 1; tries <= 8; tries++) {
      await acme.untilDelivery('account_renamed', { tries })
      clock.forward({ hours: 14.5 })
    }
    return acme.untilDelivery('account_renamed', { tries: 8 })
  }
  await acme.rename('Other')
  t.match(await failForGood(), { state: 'failed', status: 500 })
  t.equal((await acme.visit()).webhook.disabled_at, null)
  const { id } = await acme.untilDelivery('account_renamed', {})
  const again = await acme.owner.browser.submit('POST', `${acme.item}/deliveries/${id}/retry`)
  t.equal(again.flash?.notice, 'Sent again')
  const twice = await acme.owner.browser.submit('POST', `${acme.item}/deliveries/${id}/retry`)
  t.equal(twice.flash?.alert, "That can't be sent again")
  t.match(await failForGood(), { state: 'failed' })
  while (!(await acme.visit()).webhook.disabled_at);

  t.equal((await acme.test()).flash?.alert, 'Enable the webhook first')
  await acme.rename('Third')
  t.equal((await acme.visit()).deliveries.length, 1, 'nothing is recorded for it')
  t.equal((await acme.owner.browser.submit('POST', `${acme.item}/enable`)).flash?.notice, 'Webhook enabled')
  t.match((await acme.visit()).webhook, { disabled_at: null, failing_since: null })
})

t.test('a 410 disables at once, and nothing is sent then, though it was claimed already', async (t) => {
  const gone = await acmeWith({ types: ['account_renamed'] })
  receiver.answers.set(gone.hook, (response) => response.writeHead(410).end())
  await gone.rename('Other')
  while (!(await gone.visit()).webhook.disabled_at);
  t.match(await gone.untilDelivery('account_renamed', {}), { status: 410 })

  const acme = await acmeWith({ types: ['account_renamed'] })
  receiver.answers.set(acme.hook, (response) => response.writeHead(500).end())
  await acme.rename('Other')
  await acme.untilDelivery('account_renamed', { tries: 1, state: 'waiting' })
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table activities in access exclusive mode`)
    clock.forward({ seconds: 7 })
    await untilWaiting(db, new Promise(() => {}))
    await tx.update(webhooks).set({ disabledAt: clock.now() }).where(eq(webhooks.id, acme.id))
  })
  await acme.untilDelivery('account_renamed', { state: 'failed' })
  t.equal(receiver.at(acme.hook).length, 1)
})

t.test('a name that leads to a private address is refused at the moment of the try, in one word', async (t) => {
  const guarded = await startWebhooks(t, { WEBHOOK_PRIVATE_TARGETS: 'refuse' })
  const { port } = new URL(guarded.receiver.url)
  const types = ['account_renamed']
  const inside = await guarded.acmeWith({ types, to: `https://hooks.localhost:${port}` })
  const nowhere = await guarded.acmeWith({ types, to: 'https://hooks.invalid' })
  for (const acme of [inside, nowhere]) {
    await acme.rename('Other')
    t.match(await acme.untilDelivery('account_renamed', { tries: 1 }), { status: 'unreachable', state: 'waiting' })
  }
  t.same(guarded.receiver.received, [])
})

t.test('a receiver that does not answer within fifteen seconds is late', async (t) => {
  const firstTry = () => lines.find(({ webhook, msg }) => webhook === late.id && msg === 'a webhook was tried')
  while (!firstTry()) await sleep(20)
  t.match(firstTry(), { status: 'late' })
  t.ok(Number(firstTry()?.ms) >= 14_900, `${firstTry()?.ms} ms`)
})
