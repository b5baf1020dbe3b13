import t from 'tap'
import { webhookDeliveries } from '../../drizzle/tables/webhooks.ts'
import { removeSignInMethods } from '../../features/auth/sign-in-methods.ts'
import { challenge, userRow } from '../helpers/people.ts'
import { forgetMails } from '../helpers/records.ts'
import { startSmtp } from '../helpers/smtp.ts'
import { isConfirmed, isMessage, isRejected, openStream } from '../helpers/sse.ts'
import { startWebhooks } from '../helpers/webhooks.ts'

const smtp = await startSmtp(t)
const { app, db, receiver, acmeWith } = await startWebhooks(t, { METRICS_PORT: '0', ...smtp.environment })
const types = ['account_renamed']

t.test('the mails to owners say what happened, and where it is sent', async (t) => {
  const acme = await acmeWith({ types })
  const { browser, person, user } = acme.owner
  const { name } = acme.account
  await forgetMails(db)
  await app.jobs.startWorkers()
  const expect = async (subject: string, sentence: string) => {
    const { text = '', recipient } = await smtp.next(subject)
    t.equal(recipient, person.email)
    t.ok(text.replaceAll(/\s+/g, ' ').includes(sentence), text)
    t.match(text, new RegExp(`${acme.url}\\b`), 'leads to the page')
    t.notOk(text.includes(acme.hook), 'and does not name the whole URL')
  }
  await browser.submit('POST', acme.url, { url: receiver.url + acme.hook, types, ...challenge })
  const sentTo = `What happens there is sent to ${receiver.host}`
  await expect(`A webhook was added to ${name}`, `${person.name} added a webhook to ${name}. ${sentTo}.`)
  await browser.submit('PATCH', acme.item, { url: `${receiver.url}/moved`, ...challenge })
  await expect(`A webhook of ${name} was changed`, `${person.name} changed a webhook of ${name}. ${sentTo} now.`)
  await browser.submit('POST', `${acme.item}/secret`, challenge)
  await expect(`A webhook of ${name} was changed`, `${person.name} rolled the secret of the webhook`)
  await browser.submit('DELETE', acme.item)
  await expect(`A webhook of ${name} was removed`, `is no longer sent to ${receiver.host}.`)
  await db.transaction(async (tx) => removeSignInMethods(app, tx, await userRow(db, user.id), [acme.account.id]))
  await expect('A webhook stopped', `The webhook of ${name} that sends to ${receiver.host} is disabled`)

  const admin = await acme.joinVerified('admin')
  await admin.browser.submit('POST', acme.url, { url: receiver.url + acme.hook, types, ...challenge })
  await admin.browser.submit('DELETE', `${acme.path}/members/${admin.membershipId}`)
  await expect(
    `A webhook that ${admin.person.name} added still sends`,
    `${admin.person.name} manages ${name} no longer.`,
  )
})

t.test('managers hear that deliveries changed, and members do not', async (t) => {
  const acme = await acmeWith({ types })
  const identifier = JSON.stringify({ account: acme.account.slug, channel: 'WebhookChannel' })
  const open = (browser: typeof acme.owner.browser) => openStream(t, app, browser, [identifier])
  const stream = await open(acme.owner.browser)
  await stream.next(isConfirmed)
  await acme.rename('Other')
  t.same((await stream.next(isMessage)).message, { type: 'deliveries' })
  const admin = await acme.join('admin')
  const theirs = await open(admin.browser)
  await theirs.next(isConfirmed)
  const member = await acme.join('member')
  await (await open(member.browser)).next(isRejected)
  await acme.owner.browser.submit('PATCH', `${acme.path}/members/${admin.membershipId}`, { role: 'member' })
  await theirs.next(isRejected)
})

t.test('tries are counted by outcome, and what waits by number and age', async (t) => {
  const acme = await acmeWith({ types })
  const reading = async (series: string) => {
    for (;;) {
      const [, value] = new RegExp(`^${series} (.+)$`, 'm').exec((await app.metrics?.metrics()) ?? '') ?? []
      if (value) return Number(value) // which a busy database may say too late
    }
  }
  const before = await reading('webhook_tries_total{outcome="delivered"}')
  await acme.rename('Other')
  await acme.untilDelivery('account_renamed', { state: 'delivered' })
  while ((await reading('webhook_tries_total{outcome="delivered"}')) < before + 1);
  receiver.answers.set(acme.hook, (response) => response.writeHead(500).end())
  await acme.rename('Third')
  await acme.untilDelivery('account_renamed', { tries: 1, state: 'waiting' })
  while ((await reading('webhook_tries_total{outcome="failed"}')) < 1);
  await db.update(webhookDeliveries).set({ dueAt: new Date(Date.now() + 90_000) })
  t.equal(await reading('webhook_deliveries_waiting'), 1)
  t.equal(await reading('webhook_deliveries_oldest_seconds'), 0, 'which is not due yet')
  await db.update(webhookDeliveries).set({ dueAt: new Date(Date.now() - 90_000), claimedUntil: new Date(9e12) })
  t.ok((await reading('webhook_deliveries_oldest_seconds')) >= 90)
  t.notOk((await app.metrics?.metrics())?.includes(acme.account.slug))
})
