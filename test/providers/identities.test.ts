import { eq } from 'drizzle-orm'
import t from 'tap'
import { activities, users } from '../../drizzle/schema.ts'
import { identities } from '../../drizzle/tables/providers.ts'
import { startApp } from '../helpers/app.ts'
import type { Browser } from '../helpers/browser.ts'
import { begin, comeBack, type Person, startIssuer } from '../helpers/issuer.ts'
import { Authenticator, addPasskey } from '../helpers/passkeys.ts'
import { challenge, nextIp, openGuest, password, signedUp, verifiedUp } from '../helpers/people.ts'
import { environmentOf } from '../helpers/providers.ts'
import { queuedMails } from '../helpers/records.ts'

const issuer = await startIssuer(t)
const demo = { DEMO_ADMIN_EMAIL: 'Demo@example.com', DEMO_ADMIN_PASSWORD: password }
const { app, db } = await startApp(t, { ...environmentOf(issuer.url), ...demo })

let count = 0
const somebody = (): Person & { sub: string } => ({ sub: `connected-${++count}`, email: `there-${count}@example.com` })
const url = '/settings/identities/oidc'

async function connect(browser: Browser, person: Person = somebody(), body: object = challenge) {
  browser.headers['x-forwarded-for'] = nextIp()
  return issuer.visit(browser, person, { body, button: url })
}

/** Signs up with the provider, and has no password. */
async function withoutPassword() {
  const person = { ...somebody(), email_verified: true, name: 'Jo' }
  const browser = await openGuest(app)
  await issuer.visit(browser, person)
  const page = await browser.submit('POST', '/sign_up/with/oidc', { name: 'Jo' })
  const [identity] = await db.select().from(identities).where(eq(identities.subject, person.sub))
  if (!identity) throw new Error(`not signed up but ${JSON.stringify(page.flash)}`)
  return { browser, person, user: page.props.auth.user, identity }
}

t.test('a provider is connected with the password, announced by mail, and signs in from then on', async (t) => {
  const { browser, user } = await verifiedUp(app)
  const refused = await browser.submit('POST', url, { password_challenge: 'wrong password' })
  t.same(refused.props.errors, { password_challenge: ['is invalid'] })
  const person = somebody()
  const { page } = await connect(browser, person)
  t.equal(page.component, 'settings/security')
  t.same(page.flash, { notice: 'Acme ID is connected' })
  t.match(page.props.identities, [{ provider: 'oidc', email: person.email, last_used_at: null }])
  t.same(page.props.providers, [{ id: 'oidc', name: 'Acme ID' }])
  t.match((await queuedMails(db)).at(-1), { mail: 'identity_connected', userId: user.id })
  const [recorded] = await db.select().from(activities).where(eq(activities.type, 'identity_connected'))
  t.match(recorded, { userId: user.id, details: { provider: 'oidc', provider_name: 'Acme ID' } })
  t.match(recorded, { ipAddress: browser.headers['x-forwarded-for'], userAgent: /Chrome/ })

  const guest = await openGuest(app)
  const back = await issuer.visit(guest, person)
  t.equal(back.page.props.auth.user.id, user.id)
})

t.test('connecting the same identity again adds nothing, and one of another user is refused', async (t) => {
  const [ana, ben] = [await verifiedUp(app), await verifiedUp(app)]
  const person = somebody()
  await connect(ana.browser, person)
  const mails = (await queuedMails(db)).length
  t.same((await connect(ana.browser, person)).page.flash, { notice: 'Acme ID is connected' })
  t.same((await connect(ben.browser, person)).page.flash, {
    alert: 'That Acme ID account is connected to somebody else',
  })
  t.equal((await queuedMails(db)).length, mails)
  t.equal(await db.$count(identities, eq(identities.subject, person.sub)), 1)
})

t.test('a person has ten connected accounts at most', async (t) => {
  const { browser, user } = await verifiedUp(app)
  const row = { userId: user.id, provider: 'oidc', issuer: issuer.url }
  await db.insert(identities).values(Array.from({ length: 10 }, (_, index) => ({ ...row, subject: `many-${index}` })))
  t.same((await connect(browser)).page.flash, { alert: 'You have 10 connected accounts already' })
})

t.test('nothing is connected without a verified address, nor to the demo user', async (t) => {
  const { browser } = await signedUp(app)
  t.same((await browser.submit('POST', url, challenge)).flash, { alert: 'Verify your email first' })
  const shown = await verifiedUp(app, { email: 'demo@example.com' })
  t.same((await shown.browser.submit('POST', url, challenge)).flash, { alert: 'The demo user connects nothing' })
})

t.test('a provider is connected to the session that began it, and to no other', async (t) => {
  const { browser, person, user } = await verifiedUp(app)
  const way = issuer.back(await begin(browser, challenge, url), somebody())
  await browser.submit('DELETE', `/sessions/${(await browser.visit('/settings/sessions')).props.sessions[0].id}`)
  await browser.submit('POST', '/sign_in', { email: person.email, password })
  const { page } = await comeBack(browser, way)
  t.same(page.flash, { alert: "Acme ID didn't work. Try again" })
  t.equal(page.component, 'settings/security')
  t.equal(await db.$count(identities, eq(identities.userId, user.id)), 0)
})

t.test('a provider is disconnected with the password, and no longer signs in', async (t) => {
  const { browser, user } = await verifiedUp(app)
  const person = somebody()
  const { page } = await connect(browser, person)
  const at = `/settings/identities/${page.props.identities[0].id}`
  const gone = await browser.submit('DELETE', at, challenge)
  t.same(gone.flash, { notice: 'Acme ID is disconnected' })
  t.same(gone.props.identities, [])
  t.match((await queuedMails(db)).at(-1), { mail: 'identity_disconnected', userId: user.id })
  t.equal((await browser.request('DELETE', at, { body: challenge })).statusCode, 404)
  const other = await verifiedUp(app)
  t.equal((await other.browser.request('DELETE', at, { body: challenge })).statusCode, 404)
})

t.test('the last sign-in method cannot be removed, be it an identity or a passkey', async (t) => {
  const { browser, identity, user } = await withoutPassword()
  const refused = { alert: 'Set a password or add a passkey first' }
  const at = `/settings/identities/${identity.id}`
  t.same((await browser.submit('DELETE', at)).flash, refused)

  const { id } = await addPasskey(browser, new Authenticator())
  t.same((await browser.submit('DELETE', at)).flash, { notice: 'Acme ID is disconnected' })
  t.same((await browser.submit('DELETE', `/settings/passkeys/${id}`)).flash, refused)
  await db.update(users).set({ passwordDigest: 'a digest' }).where(eq(users.id, user.id))
  const asked = await browser.submit('DELETE', `/settings/passkeys/${id}`)
  t.same(asked.props.errors, { password_challenge: ['is invalid'] }, 'who has a password is asked for it')
})

t.test('when two sign-in methods are removed concurrently, one remains', async (t) => {
  const { browser, user, identity } = await withoutPassword()
  const values = { userId: user.id, provider: 'oidc', issuer: issuer.url, subject: `second-${++count}` }
  const [second] = await db.insert(identities).values(values).returning()
  const removes = [identity, second].map((each) => browser.request('DELETE', `/settings/identities/${each?.id}`))
  await Promise.all(removes)
  t.equal(await db.$count(identities, eq(identities.userId, user.id)), 1)
})

t.test('an export has the provider, and not by what it knows the person', async (t) => {
  const { browser, person } = await withoutPassword()
  const exported = await browser.request('POST', '/settings/export', { body: {} })
  t.equal(exported.statusCode, 200)
  t.match(exported.json().identities, [{ provider: 'oidc', email: person.email }])
  t.notMatch(exported.body, person.sub)
})
