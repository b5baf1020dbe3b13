import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, users } from '../../drizzle/schema.ts'
import { webhookDeliveries, webhooks } from '../../drizzle/tables/webhooks.ts'
import { removeSignInMethods } from '../../features/auth/sign-in-methods.ts'
import { createUser } from '../../features/auth/sign-up.ts'
import { suspend } from '../../features/auth/suspension.ts'
import { deleteUser } from '../../features/auth/user-deletion.ts'
import { startApp } from '../helpers/app.ts'
import { byDigest, challenge, password, startAcme, userRow, verifiedUp } from '../helpers/people.ts'
import { dump, queuedMails, recorded } from '../helpers/records.ts'

const { app, db, url } = await startApp(t)

const demo = 'demo@shown.test'
const target = 'https://hooks.example.com/a-secret-path'

/** Acme with a verified owner. */
async function verifiedAcme() {
  const acme = await startAcme(app)
  const { browser, user } = acme.owner
  await db
    .update(users)
    .set({ verified: true, verifiedAt: new Date(0) })
    .where(eq(users.id, user.id))
  const url = `${acme.path}/webhooks`
  const add = (body: object = {}) => browser.submit('POST', url, { url: target, types: ['*'], ...challenge, ...body })
  const idOf = async () => (await browser.visit(url)).props.webhooks.at(-1).id as number
  const stored = async () => (await db.select().from(webhooks).where(eq(webhooks.accountId, acme.account.id)))[0]
  const types = async () =>
    (await recorded(db))
      .filter(({ accountId, type }) => accountId === acme.account.id && type.startsWith('webhook'))
      .map(({ type }) => type)
  return { ...acme, browser, url, add, idOf, stored, types }
}

const mailsTo = async (userId: number) =>
  (await queuedMails(db)).filter((mail) => mail.userId === userId).map(({ mail }) => mail)

t.test('a manager adds it, sees the secret once, changes, rolls and removes it', async (t) => {
  const { browser, add, url, idOf, types, owner } = await verifiedAcme()
  const added = await add({ types: ['member_joined', 'member_joined'] })
  t.match(added, { component: 'accounts/webhooks', flash: { notice: 'Webhook added', secret: /^whsec_/ } })
  const page = await browser.visit(url)
  t.notOk(page.flash?.secret)
  t.match(page.props.webhooks, [
    { url: target, types: ['member_joined'], created_by: owner.person.name, disabled_at: null, failing_since: null },
  ])
  t.ok(page.props.types.some(({ name }: { name: string }) => name === 'webhook_added'))
  t.notOk(page.props.types.some(({ name }: { name: string }) => name === 'account_deleted' || name === 'signed_in'))

  const item = `${url}/${await idOf()}`
  const saved = await browser.submit('PATCH', item, { types: ['*'] })
  t.match(saved, {
    component: 'accounts/webhook',
    flash: { notice: 'Webhook saved' },
    props: { webhook: { types: ['*'] } },
  })
  const unproved = await browser.submit('PATCH', item, { url: 'https://other.example.com' })
  t.same(Object.keys(unproved.props.errors), ['password_challenge'])
  const moved = await browser.submit('PUT', item, { url: 'https://other.example.com', ...challenge })
  t.match(moved.props.webhook, { url: 'https://other.example.com/', types: ['*'] })
  t.match((await browser.submit('POST', `${item}/secret`, challenge)).flash, { notice: 'Secret rolled' })
  const removed = await browser.submit('DELETE', item)
  t.match(removed, { component: 'accounts/webhooks', flash: { notice: 'Webhook removed' }, props: { webhooks: [] } })
  t.equal((await browser.request('GET', item)).statusCode, 404)

  const all = ['webhook_added', 'webhook_changed', 'webhook_changed', 'webhook_secret_rolled', 'webhook_removed']
  t.same(await types(), all)
  t.notOk(JSON.stringify(await recorded(db)).includes('a-secret-path'))
  const mails = (await mailsTo(owner.user.id)).filter((mail) => String(mail).startsWith('webhook'))
  t.same(mails, ['webhook_added', 'webhook_changed', 'webhook_changed', 'webhook_removed'])
})

t.test('fields and challenge are judged together', async (t) => {
  const { browser, add, url } = await verifiedAcme()
  const errorsOf = async (body: object) => (await add(body)).props.errors
  t.same(await errorsOf({ url: ' ', types: [], password_challenge: 'wrong' }), {
    url: ["can't be blank"],
    types: ["can't be blank"],
    password_challenge: ['is invalid'],
  })
  for (const wrong of [
    'http://example.com',
    'https://a:b@example.com',
    'https://example.com/#',
    `https://example.com/${'a'.repeat(2_000)}`,
    'nonsense',
  ])
    t.same(await errorsOf({ url: wrong }), { url: ['is invalid'] }, wrong)
  for (const private_ of [
    'https://127.0.0.1',
    'https://2130706433',
    'https://[::ffff:7f00:1]',
    'https://10.1.2.3',
    'https://localhost',
  ])
    t.same(await errorsOf({ url: private_ }), { url: ["can't be reached"] }, private_)
  for (const types of [['nothing'], ['*', 'member_joined'], ['account_deleted'], ['signed_in']])
    t.same(await errorsOf({ types }), { types: ['is not included in the list'] }, String(types))
  t.equal((await browser.precognize('POST', url, { url: 'nonsense' }, 'url')).statusCode, 422)
  t.equal((await add({ url: 'https://unknown.invalid' })).flash?.notice, 'Webhook added', 'no name is looked up')
})

t.test('ten and no more, also when they are added at once', async (t) => {
  const { add, browser, url } = await verifiedAcme()
  await Promise.all(Array.from({ length: 12 }, () => add()))
  t.equal((await browser.visit(url)).props.webhooks.length, 10)
  t.equal((await add()).flash?.alert, 'This workspace has 10 webhooks already')
})

t.test('it is for managers, and unknown to other workspaces', async (t) => {
  const acme = await verifiedAcme()
  await acme.add()
  const item = `${acme.url}/${await acme.idOf()}`
  const other = await verifiedAcme()
  await other.add()
  const theirs = await other.idOf()
  const [delivery] = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, theirs))
  const member = await acme.join('member')
  for (const [method, url] of [
    ['GET', `${acme.url}/${theirs}`],
    ['DELETE', `${acme.url}/${theirs}`],
    ['POST', `${acme.url}/${theirs}/test`],
    ['POST', `${item}/deliveries/${delivery?.id}/retry`],
  ] as const) {
    t.equal((await acme.browser.request(method, url)).statusCode, 404, `${method} ${url}`)
    t.equal((await member.browser.request(method, url)).statusCode, 404, 'before the role is asked')
  }
  for (const [method, url] of [
    ['GET', acme.url],
    ['POST', acme.url],
    ['GET', item],
    ['PATCH', item],
    ['DELETE', item],
    ['POST', `${item}/secret`],
    ['POST', `${item}/enable`],
    ['POST', `${item}/test`],
  ] as const) {
    const page = await member.browser.submit(method, url, { ...challenge })
    t.match(page, { component: 'accounts/show', flash: { alert: "You don't have permission to do that" } }, url)
  }
  const admin = await acme.join('admin')
  const unverified = await admin.browser.submit('POST', acme.url, { url: target, types: ['*'], ...challenge })
  t.equal(unverified.flash?.alert, 'Verify your email first')
})

t.test('it goes on without who added it, which the owners are told, once', async (t) => {
  const acme = await verifiedAcme()
  const addAs = async (role: 'admin' | 'owner') => {
    const someone = await acme.join(role)
    await db.update(users).set({ verified: true }).where(eq(users.id, someone.user.id))
    for (let n = 0; n < 2; n++)
      await someone.browser.submit('POST', acme.url, { url: target, types: ['*'], ...challenge })
    return someone
  }
  const told = async () => (await mailsTo(acme.owner.user.id)).filter((mail) => mail === 'webhook_kept').length
  const demoted = await addAs('admin')
  await acme.browser.submit('PATCH', `${acme.path}/members/${demoted.membershipId}`, { role: 'member' })
  t.equal(await told(), 1)
  const left = await addAs('admin')
  await left.browser.submit('DELETE', `${acme.path}/members/${left.membershipId}`)
  t.equal(await told(), 2)
  const suspended = await addAs('admin')
  await db.transaction((tx) => suspend(app, tx, suspended.user.id, null))
  t.equal(await told(), 3)
  const deleted = await addAs('owner')
  const { passwordDigest } = await userRow(db, deleted.user.id)
  const session = { userId: deleted.user.id, token: deleted.session, reauthentication: byDigest(passwordDigest) }
  await deleteUser(app, session)
  t.equal(await told(), 4)
  t.equal((await acme.browser.visit(acme.url)).props.webhooks.at(-1).created_by, null)
  t.ok((await db.select().from(webhooks)).every(({ disabledAt }) => disabledAt === null))
})

t.test('what takes the tokens of a user disables the webhooks that they added or gave a URL', async (t) => {
  const acme = await verifiedAcme()
  await acme.add()
  const user = await userRow(db, acme.owner.user.id)
  await db.transaction((tx) => removeSignInMethods(app, tx, user, [acme.account.id], { before: new Date(0) }))
  t.equal((await acme.stored())?.disabledAt, null, 'but not what was added later')
  await db.transaction((tx) => removeSignInMethods(app, tx, user, [acme.account.id]))
  t.ok((await acme.stored())?.disabledAt)
  t.equal((await acme.types()).at(-1), 'webhook_disabled')
  t.ok((await mailsTo(user.id)).includes('webhook_disabled'))
  const waiting = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.accountId, acme.account.id))
  t.ok(waiting.every(({ state }) => state === 'failed'))
})

t.test('whoever claims an address removes all webhooks of the accounts of whom they replace', async (t) => {
  const acme = await verifiedAcme()
  await acme.add()
  const { email, id } = acme.owner.user
  await db.update(users).set({ verified: false, verifiedAt: null, provedEmail: null }).where(eq(users.id, id))
  const factors = { firstFactor: 'provider' } as const
  const client = { ipAddress: '203.0.113.7', userAgent: 'a browser' }
  await createUser(app, { name: 'Grace', email, passwordDigest: null, isVerified: true, factors }, client)
  t.equal(await acme.stored(), undefined)
  t.equal(await db.$count(webhookDeliveries, eq(webhookDeliveries.accountId, acme.account.id)), 0)
  t.equal((await acme.types()).at(-1), 'webhook_removed')
})

t.test('the demo user connects nothing', async (t) => {
  const { app: shown } = await startApp(t, { DATABASE_URL: url, DEMO_ADMIN_EMAIL: demo, DEMO_ADMIN_PASSWORD: password })
  const { browser, slug } = await verifiedUp(shown, { email: demo })
  const page = await browser.submit('POST', `/${slug}/webhooks`, { url: target, types: ['*'], ...challenge })
  t.equal(page.flash?.alert, 'The demo user connects nothing')
  t.equal((await browser.visit(`/${slug}/webhooks`)).component, 'accounts/webhooks')
})

t.test('deliveries are kept for 30 days', async (t) => {
  const acme = await verifiedAcme()
  for (let n = 0; n < 2; n++) await acme.add()
  const [first] = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.accountId, acme.account.id))
  const createdAt = new Date(Date.now() - 30 * 86_400_000 - 1_000)
  await db
    .update(webhookDeliveries)
    .set({ createdAt })
    .where(eq(webhookDeliveries.id, first?.id ?? 0))
  const before = await db.$count(webhookDeliveries)
  await app.sweeper.sweep()
  t.equal(await db.$count(webhookDeliveries), before - 1)
})

t.test('with the workspace go its webhooks and deliveries', async (t) => {
  const acme = await verifiedAcme()
  await acme.add()
  await acme.browser.submit('DELETE', acme.path, challenge)
  t.equal(await db.$count(accounts, eq(accounts.id, acme.account.id)), 0)
  t.equal(await db.$count(webhooks, eq(webhooks.accountId, acme.account.id)), 0)
  t.equal(await db.$count(webhookDeliveries, eq(webhookDeliveries.accountId, acme.account.id)), 0)
  t.notOk((await dump(db)).includes('whsec_'))
})

t.test('off, all of it is the 404 page, and what waited has failed; what ends meanwhile has ended', async (t) => {
  const [acme, other] = [await verifiedAcme(), await verifiedAcme()]
  for (const each of [acme, other]) await each.add()
  const { app: off } = await startApp(t, { WEBHOOKS: 'off', DATABASE_URL: url })
  await off.ready()
  const browser = acme.browser.copy(off)
  t.equal((await browser.request('GET', acme.url)).statusCode, 404)
  const count = () => db.$count(webhookDeliveries, eq(webhookDeliveries.accountId, acme.account.id))
  const before = await count()
  await browser.submit('PATCH', `${acme.path}/settings`, { name: 'Other' })
  t.equal(await count(), before)
  t.equal(await db.$count(webhookDeliveries, eq(webhookDeliveries.state, 'waiting')), 0)

  const user = await userRow(db, acme.owner.user.id)
  await db.transaction((tx) => removeSignInMethods(off, tx, user, [acme.account.id]))
  t.ok((await acme.stored())?.disabledAt)
  await other.browser.copy(off).submit('DELETE', other.path, challenge)
  t.equal(await db.$count(webhookDeliveries, eq(webhookDeliveries.accountId, other.account.id)), 0)

  const admin = await acme.join('admin')
  await db.update(webhooks).set({ disabledAt: null, createdById: admin.user.id })
  await browser.submit('DELETE', `${acme.path}/members/${admin.membershipId}`)
  t.equal((await mailsTo(acme.owner.user.id)).at(-1), 'webhook_kept')
})
