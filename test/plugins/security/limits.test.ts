import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { rateLimits, users } from '../../../drizzle/schema.ts'
import { mailCodes } from '../../../drizzle/tables/mail-codes.ts'
import { identities } from '../../../drizzle/tables/providers.ts'
import { mintCode } from '../../../features/mail-codes/codes.ts'
import { subscribe } from '../../../plugins/instrumentation.ts'
import { type LimitName, tryTakeMail } from '../../../plugins/security/limits/index.ts'
import { definedLimits, limitOf } from '../../../plugins/security/limits/table.ts'
import { sharedApp, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { nextIp, password, signedIn, signedUp, startAcme, verifiedUp, verify } from '../../helpers/people.ts'
import { queuedMails } from '../../helpers/records.ts'
import { operatorUp } from '../../helpers/second-factor.ts'

type Method = Parameters<Browser['request']>[0]

/** Uses the limit once. Returns whether it was refused. */
type Hit = () => Promise<boolean>
type Case = (app: FastifyInstance) => Promise<Hit>

const anotherClient = () => ({ 'x-forwarded-for': nextIp() })
const json = { accept: 'application/json' }
const precognitive = { ...json, precognition: 'true' }

/** Sends a request. Whether it is refused has to be said in words as in Retry-After. */
async function isRefused(browser: Browser, method: Method, url: string, body: object = {}, headers = {}) {
  const response = await browser.request(method, url, method === 'GET' ? { headers } : { body, headers })
  const { flash } = response.headers.location ? await browser.follow(response) : {}
  const refused = response.statusCode === 429 || flash?.alert === 'Try again later.'
  if (refused !== Number(response.headers['retry-after']) > 0) throw new Error('Retry-After and the answer disagree')
  return refused
}

/** Sends the same request again and again, as a guest or as a person. */
const by =
  (open: (app: FastifyInstance) => Promise<{ browser: Browser; slug: string }>) =>
  (method: Method, url: string, body?: object, headers?: object): Case =>
  async (app) => {
    const { browser, slug } = await open(app)
    return () => isRefused(browser, method, url.replace(':slug', slug), body, headers)
  }
const guest = by(async (app) => ({ browser: await Browser.open(app), slug: '' }))
const person = by(verifiedUp)

/** Submits several forms in turn, each time from another client. */
const inTurn =
  (...forms: (readonly [Method, string, object?])[]): Case =>
  async (app) => {
    const { browser, slug } = await verifiedUp(app)
    const [{ id }] = (await browser.visit(`/${slug}/members`)).props.members
    let count = 0
    return () => {
      const [method, url, body] = forms[count++ % forms.length] as (typeof forms)[0]
      return isRefused(browser, method, url.replace(':slug', slug).replace(':member', id), body, anotherClient())
    }
  }

/** Whether a request that looks successful sent no mail. */
const sendsNothing =
  (app: FastifyInstance, ask: () => Promise<unknown>): Hit =>
  async () => {
    const before = (await queuedMails(app.db)).length
    await ask()
    return (await queuedMails(app.db)).length === before
  }

/** Invites a new address from a new account each time, so no other limit applies. */
const invites =
  (open: (app: FastifyInstance) => Promise<{ browser: Browser }>): Case =>
  async (app) => {
    const { browser } = await open(app)
    return async () => {
      await app.db.delete(rateLimits).where(sql`key like 'account_creation:%'`)
      const { props } = await browser.submit('POST', '/accounts', { name: 'Acme' })
      const invitee = { email: `invited-${++addresses}@example.com`, role: 'member' }
      return isRefused(browser, 'POST', `/${props.account.slug}/invitations`, invitee)
    }
  }

let addresses = 0
const nobody = { name: '', email: '', password: '', password_confirmation: '' }
const right = { password_challenge: password }
const wrong = { password_challenge: 'a wrong password' }
// Nobody answers there, which comes after the limit.
const withProvider = { OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' }

/** How to hit each limit. A new limit that is missing here does not compile. */
function caseOf(name: LimitName) {
  const found = cases[name]
  if (!found) throw new Error(`${name} has no case`)
  return found
}

const cases: { [Name in LimitName]?: Case } = {
  sign_in: guest('POST', '/sign_in', { email: 'nobody@example.com', password: 'wrong' }),
  mail_code: guest('POST', '/sign_in/code', { email: 'nobody@example.com' }),
  mail_code_verification: guest('POST', '/sign_in/code/verify', { code: '1' }),
  sign_up: guest('POST', '/sign_up', nobody),
  sign_up_check: guest('POST', '/sign_up', nobody, precognitive),
  password_reset: guest('POST', '/identity/password_reset', { email: '' }),
  password_reset_finish: guest('PATCH', '/identity/password_reset', { sid: 'x' }),
  password_change: person('PATCH', '/settings/password', {}),
  email_change: person('PATCH', '/settings/email', {}),
  email_verification: person('POST', '/identity/email_verification'),
  user_deletion: person('DELETE', '/users'),
  account_deletion: person('DELETE', '/:slug'),
  async ownership(app) {
    const { owner, join, path } = await startAcme(app)
    const member = `${path}/members/${(await join('member')).membershipId}`
    let count = 0
    return () =>
      count++ % 2
        ? isRefused(owner.browser, 'PATCH', member, { role: 'owner', ...wrong })
        : isRefused(owner.browser, 'POST', `${member}/ownership`, wrong)
  },
  async operator_change(app) {
    let ahead = 0 // of the code from the app, which is accepted before its time
    const now = () => new Date(app.now().getTime() + ahead)
    const forward = ({ seconds = 0 }) => {
      ahead += seconds * 1000
    }
    const { browser, user } = await operatorUp({ app, clock: { now, forward } })
    return () => isRefused(browser, 'POST', `/admin/users/${user.id}/sign_out`, wrong)
  },
  data_export: person('POST', '/settings/export'),
  sessions_end: person('DELETE', '/sessions'),
  second_factor: guest('POST', '/sign_in/verify', {}, json),
  email_restoration: guest('POST', '/identity/email_change'),
  not_mine: guest('POST', '/identity/not_mine'),
  second_factor_setup: person('POST', '/settings/second_factor'),
  second_factor_confirmation: person('PATCH', '/settings/second_factor'),
  second_factor_removal: person('DELETE', '/settings/second_factor'),
  recovery_codes: person('POST', '/settings/recovery_codes'),
  sso_search: guest('POST', '/sign_in/sso', { email: 'nobody@example.com' }),
  sso_start: guest('POST', '/sign_in/sso/acme', {}, json),
  sso_save: person('PATCH', '/:slug/sso', {}),
  domain_look: person('POST', '/:slug/sso/domains/1/verification'),
  provider_start: guest('POST', '/sign_in/with/oidc'),
  provider_sign_up: guest('POST', '/sign_up/with/oidc'),
  provider_sign_up_check: guest('POST', '/sign_up/with/oidc', { name: '' }, precognitive),
  identity_connection: person('POST', '/settings/identities/oidc', wrong),
  async identity_removal(app) {
    const { browser, user } = await signedUp(app)
    const subject = `limits-${user.id}`
    const values = { userId: user.id, provider: 'oidc', issuer: 'https://login.example.com', subject }
    const [identity] = await app.db.insert(identities).values(values).returning()
    return () => isRefused(browser, 'DELETE', `/settings/identities/${identity?.id}`, wrong)
  },
  password_link: person('POST', '/settings/password'),
  passkey: guest('POST', '/sign_in/passkey'),
  passkey_options: person('POST', '/settings/passkeys/options', {}, json),
  passkey_request: guest('POST', '/sign_in/passkey/options', {}, json),
  passkey_addition: person('POST', '/settings/passkeys'),
  passkey_removal: person('DELETE', '/settings/passkeys/1'),
  async guess(app) {
    const { person } = await signedUp(app)
    const body = { email: person.email, password: 'a wrong password' }
    return async () => isRefused(await Browser.open(app), 'POST', '/sign_in', body, anotherClient())
  },
  challenge: inTurn(
    ...['/settings/password', '/settings/email'].map((url) => ['PATCH', url, wrong] as const),
    ...['/settings/export', '/settings/passkeys'].map((url) => ['POST', url, wrong] as const),
    ...['/users', '/sessions', '/:slug'].map((url) => ['DELETE', url, wrong] as const),
    ...['/settings/second_factor', '/settings/passkeys/1'].map((url) => ['DELETE', url, wrong] as const),
  ),
  async reset_mail(app) {
    const { person } = await verifiedUp(app)
    const browser = await Browser.open(app)
    const body = { email: ` ${person.email.toUpperCase()}` }
    return sendsNothing(app, () => browser.submit('POST', '/identity/password_reset', body, anotherClient()))
  },
  async verification_mail(app) {
    const email = `verify-${++addresses}@example.com`
    let browser: Browser | undefined
    return sendsNothing(app, async () => {
      if (browser) return browser.submit('POST', '/identity/email_verification', {}, anotherClient())
      browser = (await signedUp(app, { email })).browser
    })
  },
  async invitation_mail(app) {
    const email = `invited-${++addresses}@example.com`
    return async () => {
      const { browser, slug } = await signedUp(app)
      const { props } = await browser.submit('POST', `/${slug}/invitations`, { email, role: 'member' })
      return props.errors.email?.[0] === "can't be invited again today"
    }
  },
  async sign_in_code_mail(app) {
    const { user } = await verifiedUp(app)
    const [row] = await app.db.select().from(users).where(eq(users.id, user.id))
    return async () => {
      const id = randomUUID()
      await app.db.insert(mailCodes).values({ id, expiresAt: new Date(app.now().getTime() + 1_000) })
      return row !== undefined && (await mintCode(app, id, row)) === undefined
    }
  },
  async open_invitation_mail(app) {
    const [inviter, { browser, person, user }] = [await signedUp(app), await signedUp(app)]
    await verify(app.db, user.id)
    await inviter.browser.submit('POST', `/${inviter.slug}/invitations`, { email: person.email, role: 'member' })
    const [{ id }] = (await browser.visit('/settings/profile')).props.open_invitations
    return sendsNothing(app, () => browser.submit('POST', `/invitations/open/${id}/accept`))
  },
  async notice_mail(app) {
    const { person } = await verifiedUp(app)
    return sendsNothing(app, () => signedIn(app, person))
  },
  invitation_sent: invites(verifiedUp),
  invitation_sent_unverified: invites(signedUp),
  invitation: inTurn(['POST', '/:slug/invitations', { email: '' }]),
  invitation_check: person('POST', '/:slug/invitations', { email: '' }, precognitive),
  token_creation: person('POST', '/settings/tokens', { ...wrong, name: 'CI', scope: 'read' }),
  async wrong_token(app) {
    const { 'x-forwarded-for': client } = anotherClient()
    const headers = { authorization: 'Bearer acct_mistyped', 'x-forwarded-for': client }
    return async () => {
      let isLogged = false
      const unsubscribe = subscribe('security', () => {
        isLogged = true
      })
      await app.inject({ url: '/api/v1/me', headers })
      unsubscribe()
      return !isLogged
    }
  },
  join: person('POST', '/join/unknown', {}, json),
  async api_request(app) {
    const { browser } = await verifiedUp(app)
    const { flash } = await browser.submit('POST', '/settings/tokens', { ...right, name: 'CI', scope: 'read' })
    const headers = { authorization: `Bearer ${flash?.token}` }
    return () => isRefused(browser, 'GET', '/api/v1/me', undefined, headers)
  },
  live_write: person('DELETE', '/live/presence', { identifier: '{}', tab_id: 'tab' }),
  account_change: inTurn(
    ['PATCH', '/:slug/settings', { name: 'Acme' }],
    ['PUT', '/:slug/settings', { name: '' }],
    ['PATCH', '/:slug/members/:member', { role: 'owner' }],
    ['PUT', '/:slug/members/:member', { role: 'admin' }],
    ['DELETE', '/:slug/members/:member'],
  ),
  language: guest('POST', '/language', { language: 'en' }),
  profile_change: inTurn(
    ['PATCH', '/settings/profile', { name: 'Ana' }],
    ['PUT', '/settings/profile', { name: 'Ben' }],
  ),
  activity_file: person('GET', '/settings/activity.csv'),
  account_activity_file: person('GET', '/:slug/activity.csv'),
  async picture_client(app) {
    const people = [await signedUp(app), await signedUp(app)]
    let count = 0
    const headers = anotherClient()
    return () => isRefused(people[count++ % 2]?.browser as Browser, 'PUT', '/settings/picture', {}, headers)
  },
  picture: inTurn(['PUT', '/settings/picture'], ['PUT', '/:slug/picture']),
  account_creation: inTurn(['POST', '/accounts', { name: '' }]),
}

/** Advances the clocks of database and process. */
async function pass({ app, clock }: Awaited<ReturnType<typeof startApp>>, seconds: number) {
  clock.forward({ seconds })
  await app.db.update(rateLimits).set({ expiresAt: sql`expires_at - make_interval(secs => ${seconds}::int)` })
}

/** Of a long limit, all but the first and the last hits are only counted, except those that are in no row. */
const isLong = ({ max, each }: { max: number; each: string }) => max > 30 && each !== 'session'

const skip = (app: FastifyInstance, name: LimitName, hits: number) =>
  app.db
    .update(rateLimits)
    .set({ hits })
    .where(sql`key like ${`${name}:%`}`)

t.test('every limit allows exactly its maximum until its window is over', async (t) => {
  const started = await startApp(t, withProvider)
  for (const name of [...definedLimits.keys()] as LimitName[]) {
    const { max, windowSeconds } = limitOf(name)
    await started.db.delete(rateLimits)
    const hit = await caseOf(name)(started.app)
    for (let count = 1; count <= max; count++) {
      if (await hit()) t.fail(`${name} is refused at ${count} of ${max}`)
      if (isLong(limitOf(name)) && count === 9) {
        count = max - 2
        await skip(started.app, name, count)
      }
    }
    t.ok(await hit(), `${name}: one more is refused`)
    const own = await started.db.$count(rateLimits, sql`key like ${`${name}:%`}`)
    t.equal(own > 0, limitOf(name).each !== 'session', `${name}: no other limit was used up`)
    const margin = windowSeconds / 6 // the database's clock goes on while the test takes its time
    await pass(started, windowSeconds - margin)
    t.ok(await hit(), `${name}: and still is at the end of its time`)
    await pass(started, margin + 1)
    t.notOk(await hit(), `${name}: after which it is let through`)
  }
})

t.test('all spellings of a mailbox share its mails', async (t) => {
  const { db } = await sharedApp(t)
  const mailboxes = [
    ['ana@example.com', 'ana+shop@example.com'],
    ['an.a@gmail.com', 'ana@gmail.com', 'a.na+x@googlemail.com'],
    ['an.a@example.com'],
  ]
  for (const spellings of mailboxes)
    for (const email of spellings) await db.transaction((tx) => tryTakeMail(tx, 'reset_mail', email))
  const hits = (await db.select().from(rateLimits)).map((row) => row.hits)
  t.same(hits.toSorted(), [1, 2, 3])
})

t.test('limits per address, user or account are separate for others', async (t) => {
  const { app } = await sharedApp(t)
  for (const name of [...definedLimits.keys()] as LimitName[]) {
    const { max, each } = limitOf(name)
    if (each === 'client') continue
    await app.db.delete(rateLimits)
    const [hit, ofAnother] = [await caseOf(name)(app), await caseOf(name)(app)]
    for (let count = 0; count < (each === 'session' ? max : 1); count++) await hit()
    await app.db.update(rateLimits).set({ hits: 1000 })
    t.ok(await hit(), name)
    t.notOk(await ofAnother(), name)
  }
})
