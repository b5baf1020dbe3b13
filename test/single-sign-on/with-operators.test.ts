import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, activities, memberships } from '../../drizzle/schema.ts'
import { operatorLog } from '../../drizzle/tables/operators.ts'
import { startApp } from '../helpers/app.ts'
import { operatorUp } from '../helpers/operators.ts'
import { challenge, nextIp, startAcme, verify } from '../helpers/people.ts'
import { startSmtp } from '../helpers/smtp.ts'

const smtp = await startSmtp(t)
const { app, clock, db } = await startApp(t, smtp.environment)
const { browser } = await operatorUp({ app, clock })
await app.jobs.startWorkers()

/** As what an operator did is recorded: without their name and their client. */
const byOperator = { actorId: null, actorName: 'An operator', ipAddress: null, userAgent: null }

t.test('an operator lets a company in whose provider broke, required or not, and the owners hear of it', async (t) => {
  const { account, owner, join } = await startAcme(app)
  await verify(db, owner.user.id)
  const member = await join('member')
  await db.update(accounts).set({ requireSingleSignOn: true }).where(eq(accounts.id, account.id))
  const visited = async () => (await member.browser.request('GET', `/${account.slug}`)).headers.location
  t.equal(await visited(), `/sign_in/sso/${account.slug}`)
  const path = `/accounts/${account.id}`
  t.match((await browser.visit(`/admin${path}`)).props, { requires: { sso: true }, domains: [] })

  const lift = () =>
    browser.submit('DELETE', `/admin${path}/sso_requirement`, challenge, { 'x-forwarded-for': nextIp() })
  const lifted = { url: `/admin${path}`, flash: { notice: 'Single sign-on is no longer required' } }
  for (const _ of ['required', 'not']) t.match(await lift(), { ...lifted, props: { requires: { sso: false } } })
  t.equal(await visited(), undefined)
  const told = await db.select().from(activities).where(eq(activities.type, 'sso_not_required'))
  t.match(told, [{ accountId: account.id, ...byOperator }], 'once')
  const mail = await smtp.next('Single sign-on of Acme was changed')
  t.equal(mail.recipient, owner.person.email)
  t.match(mail.text, 'An operator no longer requires single sign-on in Acme.')
  const lines = await db.select().from(operatorLog).where(eq(operatorLog.action, 'sso_requirement_lifted'))
  t.match(lines, [{ accountId: account.id }, { accountId: account.id }])
  const gone = await browser.request('DELETE', '/admin/accounts/999999/sso_requirement', { body: challenge })
  t.equal(gone.statusCode, 404)
})

t.test(
  'an operator is told that a workspace opens only with single sign-on, but not of whom it lets in all the same',
  async (t) => {
    const { account, join } = await startAcme(app)
    const { user } = await join('member')
    await db.update(accounts).set({ requireSingleSignOn: true }).where(eq(accounts.id, account.id))
    const requiring = async () => (await browser.visit(`/admin/users/${user.id}`)).props.obstacles.requiring
    t.same(await requiring(), [{ id: account.id, name: 'Acme', is_owner: false, second_factor: false, sso: true }])
    await db.update(memberships).set({ outside: true }).where(eq(memberships.userId, user.id))
    t.same(await requiring(), [])
  },
)
