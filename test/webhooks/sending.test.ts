import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import t from 'tap'
import { invitations } from '../../drizzle/schema.ts'
import { webhookDeliveries, webhooks } from '../../drizzle/tables/webhooks.ts'
import { recordAccountActivity } from '../../features/accounts/channel.ts'
import { collectLines } from '../helpers/app.ts'
import { challenge } from '../helpers/people.ts'
import { isSigned } from '../helpers/receiver.ts'
import { dump } from '../helpers/records.ts'
import { startWebhooks } from '../helpers/webhooks.ts'

const { lines, logTo } = collectLines()
const { db, clock, receiver, acmeWith } = await startWebhooks(t, { LOG_LEVEL: 'info' }, { logTo })

t.test('each activity is sent as managers see it, signed, with its id', async (t) => {
  const acme = await acmeWith()
  const { account, owner } = acme
  const [added] = await receiver.until(acme.hook, 1)
  const body = JSON.parse(added?.body ?? '')
  t.match(body, { type: 'webhook_added', data: { type: 'webhook_added', actor_name: owner.person.name } })
  t.same(Object.keys(body), ['type', 'timestamp', 'data'])
  t.same(Object.keys(body.data), ['id', 'type', 'actor_name', 'details', 'created_at', 'account'])
  t.same(body.data.account, { slug: account.slug, name: account.name })
  t.match(body.data.details, { webhook_id: acme.id, host: receiver.host })
  t.equal(body.timestamp, body.data.created_at)
  t.match(added?.headers, {
    'content-type': 'application/json',
    'user-agent': 'Webhooks (http://localhost:3000)',
    'webhook-id': `msg_${body.data.id}`,
  })
  t.ok(added && isSigned(added, acme.secret))
  t.notOk(added && isSigned(added, `whsec_${Buffer.alloc(32).toString('base64')}`))
  t.match(await acme.untilDelivery('webhook_added', { state: 'delivered' }), { status: 204, tries: 1 })

  await owner.browser.submit('POST', `${acme.path}/invitations`, { email: 'bo@example.com', role: 'member' })
  const [, invited] = await receiver.until(acme.hook, 2)
  t.match(JSON.parse(invited?.body ?? ''), { type: 'member_invited', data: { details: { email: 'bo@example.com' } } })
})

t.test(
  'what was rolled back is not sent, nor what the webhook does not want, nor what happens elsewhere',
  async (t) => {
    const acme = await acmeWith({ types: ['account_renamed'] })
    const other = await acmeWith({ types: ['account_renamed'] })
    const failed = db.transaction(async (tx) => {
      const about = { from: 'a', to: 'b' }
      await recordAccountActivity(
        tx,
        { accountId: acme.account.id, userId: acme.owner.user.id },
        'account_renamed',
        about,
      )
      throw new Error('rolled back')
    })
    await t.rejects(failed)
    await acme.owner.browser.submit('POST', `${acme.path}/invitations`, { email: 'cy@example.com', role: 'member' })
    await acme.rename('Other')
    await acme.untilDelivery('account_renamed', { state: 'delivered' })
    t.equal(receiver.at(acme.hook).length, 1)
    t.match(JSON.parse(receiver.at(acme.hook)[0]?.body ?? ''), { data: { details: { to: 'Other' } } })
    t.equal(receiver.at(other.hook).length, 0)
  },
)

const orphan = { type: 'account_renamed', createdAt: new Date(), dueAt: new Date() }

t.test('nobody waits for a webhook that is being changed', async (t) => {
  const acme = await acmeWith({ types: ['account_renamed'] })
  await db.transaction(async (tx) => {
    await tx.delete(webhooks).where(eq(webhooks.id, acme.id))
    t.equal((await acme.rename('Other')).flash?.notice, 'Settings saved')
  })
  const ofWebhook = eq(webhookDeliveries.webhookId, acme.id)
  await db.insert(webhookDeliveries).values({ ...orphan, webhookId: acme.id, accountId: acme.account.id })
  while ((await db.$count(webhookDeliveries, and(ofWebhook, eq(webhookDeliveries.state, 'waiting')))) > 0)
    await sleep(20)
})

t.test('a test is tried once', async (t) => {
  const acme = await acmeWith({ types: ['account_renamed'] })
  receiver.answers.set(acme.hook, (response) => response.writeHead(500).end())
  t.equal((await acme.test()).flash?.notice, 'A test was sent')
  const { id } = await acme.untilDelivery('test', { state: 'failed' })
  const [sent] = await receiver.until(acme.hook, 1)
  const { slug, name } = acme.account
  t.match(JSON.parse(sent?.body ?? ''), { type: 'test', data: { account: { slug, name } } })
  t.match(sent?.headers['webhook-id'], /^msg_test_/)
  receiver.answers.delete(acme.hook)
  await acme.owner.browser.submit('POST', `${acme.item}/deliveries/${id}/retry`)
  await acme.untilDelivery('test', { state: 'delivered' })
  const [, again] = receiver.at(acme.hook)
  t.equal(again?.headers['webhook-id'], sent?.headers['webhook-id'])
})

t.test('after the secret was rolled, both sign for a day, and neither is stored', async (t) => {
  const acme = await acmeWith({ types: ['account_renamed'] })
  const rolled = await acme.owner.browser.submit('POST', `${acme.item}/secret`, challenge)
  t.equal(rolled.flash?.notice, 'Secret rolled')
  const secret = String(rolled.flash?.secret)
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  await acme.rename('Other')
  const [first] = await receiver.until(acme.hook, 1)
  t.equal(String(first?.headers['webhook-signature']).split(' ').length, 2)
  t.ok(first && isSigned(first, acme.secret) && isSigned(first, secret))
  clock.forward({ hours: 25 })
  await acme.rename('Third')
  const [, second] = await receiver.until(acme.hook, 2)
  t.ok(second && isSigned(second, secret) && !isSigned(second, acme.secret))
  const all = (await dump(db)) + JSON.stringify(lines)
  for (const each of [secret, acme.secret]) t.notOk(all.includes(each.slice(6, 40)))

  await db.update(webhooks).set({ secret: 'unreadable' }).where(eq(webhooks.id, acme.id))
  await acme.rename('Fourth')
  t.match(await acme.untilDelivery('account_renamed', { tries: 1, status: 'secret_unreadable' }), { state: 'waiting' })
})

t.test('what was scrubbed meanwhile is not sent', async (t) => {
  const acme = await acmeWith({ types: ['member_invited'] })
  receiver.answers.set(acme.hook, (response) => response.writeHead(500).end())
  await acme.owner.browser.submit('POST', `${acme.path}/invitations`, { email: 'dee@example.com', role: 'member' })
  await acme.untilDelivery('member_invited', { tries: 1 })
  await db.delete(invitations).where(eq(invitations.email, 'dee@example.com'))
  clock.forward({ seconds: 7 })
  const [, second] = await receiver.until(acme.hook, 2)
  t.notOk(second?.body.includes('dee@example.com'))
})

t.test(
  'a slow receiver holds five tries of its webhook and ten of its workspace, and delays nobody else',
  async (t) => {
    const busy = await acmeWith({ types: ['account_renamed'] })
    const second = await acmeWith({ types: ['account_renamed'], on: Promise.resolve(busy) })
    const third = await acmeWith({ types: ['account_renamed'], on: Promise.resolve(busy) })
    const calm = await acmeWith({ types: ['account_renamed'] })
    const held: (() => void)[] = []
    for (const { hook } of [busy, second, third])
      receiver.answers.set(hook, (response) => held.push(() => response.writeHead(204).end()))
    for (const each of [busy, second, third]) for (let n = 0; n < 7; n++) await each.test()
    while (held.length < 10) await sleep(20)
    await calm.rename('Other')
    await receiver.until(calm.hook, 1)
    const counts = () => [busy, second, third].map(({ hook }) => receiver.at(hook).length)
    t.ok(
      counts().every((count) => count <= 5),
      `${counts()}`,
    )
    t.equal(held.length, 10)
    for (let n = 0; n < 21; n++) {
      while (!held[n]) await sleep(20)
      held[n]?.()
    }
    for (const each of [busy, second, third]) await each.untilDelivery('test', { state: 'delivered' })
  },
)
