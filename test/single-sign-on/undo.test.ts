import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import { ssoConnections, ssoDomains } from '../../drizzle/tables/single-sign-on.ts'
import { undoChange } from '../helpers/endings.ts'
import { challenge, changeEmail, openGuest } from '../helpers/people.ts'
import { mailsOf, queuedMails, recorded } from '../helpers/records.ts'
import { startSso } from '../helpers/single-sign-on.ts'

const { app, db, clock, issuer, company, connection, proveDomain } = await startSso(t)

/** A workspace whose second owner lost their address to a thief, who is signed in as them. */
async function stolen() {
  const acme = await company()
  const second = await acme.join('owner')
  clock.forward({ minutes: 1 })
  await changeEmail(second, `thief-${second.user.id}@example.com`)
  const restore = async () => {
    const page = await undoChange(app, second.user.id)
    t.equal(page.flash?.notice, 'Your email has been restored. Choose a new password')
  }
  const isAcmes = eq(accounts.id, acme.account.id)
  const domains = async () =>
    (await db.select().from(ssoDomains).where(eq(ssoDomains.accountId, acme.account.id))).map(({ domain }) => domain)
  const connections = () => db.select().from(ssoConnections).where(eq(ssoConnections.accountId, acme.account.id))
  const isRequired = async () => (await db.select().from(accounts).where(isAcmes))[0]?.requireSingleSignOn
  return { ...acme, second, restore, domains, connections, isRequired }
}

t.test('the undo of a change of address removes the domains added since, and leaves what others set up', async (t) => {
  const { owner, slug, domain, path, second, require, restore, domains, connections, isRequired } = await stolen()
  await proveDomain(second, slug, `thief-${slug}.test`)
  await proveDomain(owner, slug, `other-${slug}.test`)
  const saved = await second.browser.submit('PATCH', `${path}/sso`, {
    ...connection(),
    client_secret: 'another',
    ...challenge,
  })
  t.equal(saved.flash?.notice, 'Single sign-on saved')
  await owner.browser.submit('PATCH', `${path}/sso`, { ...connection(), ...challenge })
  await require()
  const before = await mailsOf(db, owner.user.id)
  await restore()
  t.same((await domains()).sort(), [domain, `other-${slug}.test`].sort())
  t.equal((await connections()).length, 1, 'whose secret alone was changed')
  t.ok(await isRequired())
  const after = await mailsOf(db, owner.user.id)
  t.same(after.slice(before.length), ['sso_changed'])
  const mails = (await queuedMails(db)).filter(({ undoneBy }) => undoneBy === second.user.id)
  t.same(
    mails.map(({ userId }) => userId),
    [owner.user.id],
  )
  const removed = (await recorded(db)).filter(({ type }) => type === 'domain_removed')
  t.match(removed, [{ actorId: null, ipAddress: null, details: { domain: `thief-${slug}.test` } }])
})

t.test('it removes the provider that was put in the place of another one', async (t) => {
  const { at, path, domain, second, restore, domains, connections } = await stolen()
  const foreign = { ...connection(issuer.url), client_id: 'of the thief' }
  await second.browser.submit('PATCH', `${path}/sso`, { ...foreign, ...challenge })
  t.match(await connections(), [{ clientId: 'of the thief' }])
  await restore()
  t.same(await connections(), [])
  t.same(await domains(), [domain])
  t.equal((await (await openGuest(app)).visit(at)).component, 'auth/sso')
})

t.test('it removes what they added to a workspace that they have left, and the requirement stays', async (t) => {
  const { account, path, second, restore, connections, isRequired } = await stolen()
  await second.browser.submit('PATCH', `${path}/sso`, { ...connection(), client_id: 'of the thief', ...challenge })
  await db.update(accounts).set({ requireSingleSignOn: true }).where(eq(accounts.id, account.id))
  await db.delete(memberships).where(eq(memberships.userId, second.user.id))
  await restore()
  t.same(await connections(), [])
  t.ok(await isRequired())
})

t.test('it goes by what was recorded where the version before did not write who added it', async (t) => {
  const { account, path, slug, domain, second, restore, domains, connections } = await stolen()
  await proveDomain(second, slug, 'old.test')
  await second.browser.submit('PATCH', `${path}/sso`, { ...connection(), client_id: 'of the thief', ...challenge })
  for (const table of [ssoDomains, ssoConnections])
    await db.update(table).set({ creatorId: null }).where(eq(table.accountId, account.id))
  await restore()
  t.same(await domains(), [domain])
  t.same(await connections(), [])
})

t.test('who is signed in where single sign-on is required and gone is told so, and led nowhere', async (t) => {
  const { account, owner, at, require, join } = await company()
  await require()
  const bo = await join('member', 'elsewhere.test')
  await db.update(users).set({ lastAccountId: account.id }).where(eq(users.id, bo.user.id))
  await db.delete(ssoConnections).where(eq(ssoConnections.accountId, account.id))
  for (const browser of [bo.browser, owner.browser]) {
    const page = await browser.visit('/')
    t.match(page, { component: 'auth/sso-start', url: at, props: { unavailable: true } })
    t.same(page.flash, { alert: 'There is no single sign-on' })
    t.equal((await browser.visit('/settings/profile')).flash?.alert, undefined, 'said once')
  }
})
