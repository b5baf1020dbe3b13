import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { identities, rateLimits, users } from '../../../drizzle/schema.ts'
import { type LimitName, limits } from '../../../plugins/security/limits/table.ts'
import { sharedApp, startApp } from '../../helpers/app.ts'
import { Browser, type Page } from '../../helpers/browser.ts'
import { password, signedUp } from '../../helpers/people.ts'
import { queuedMails } from '../../helpers/records.ts'

type Started = Pick<Awaited<ReturnType<typeof startApp>>, 'app' | 'clock'>

/** Advances the clocks of database and process. */
async function pass({ app, clock }: Started, seconds: number) {
  clock.forward({ seconds })
  await app.db.update(rateLimits).set({ expiresAt: sql`expires_at - make_interval(secs => ${seconds}::int)` })
}

const later = 'Try again later.'

let clients = 0
const anotherClient = () => ({ 'x-forwarded-for': `10.3.${++clients >> 8}.${clients & 255}` })

/** Uses the limit once. Returns whether it was refused. */
type Hit = () => Promise<boolean>

const submit = async (browser: Browser, ...[method, url, body, headers]: Parameters<Browser['submit']>) => {
  const response = await browser.request(method, url, { body, headers: headers ?? {} })
  const { flash } = await browser.follow(response)
  const refused = flash?.alert === later
  if (refused !== Number(response.headers['retry-after']) > 0) throw new Error('Retry-After and the alert disagree')
  return refused
}

const check = async (browser: Browser, ...[method, url, body]: Parameters<Browser['precognize']>) => {
  const response = await browser.precognize(method, url, body)
  if (response.statusCode === 429 && !response.headers['retry-after']) throw new Error('Retry-After is missing')
  return response.statusCode === 429
}

// Nobody answers there, which comes after the limit.
const withProvider = { OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' }
const nobody = { name: '', email: '', password: '', password_confirmation: '' }
const right = { password_challenge: password }
const wrong = { password_challenge: 'a wrong password' }

let addresses = 0

async function verified(app: FastifyInstance) {
  const someone = await signedUp(app)
  await app.db.update(users).set({ verified: true }).where(eq(users.id, someone.user.id))
  return { ...someone, email: someone.person.email }
}

const download = async (browser: Browser, url: string) => {
  const response = await browser.request('GET', url)
  return response.statusCode !== 200 && (await browser.follow(response)).flash?.alert === later
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
  (app: FastifyInstance, { browser }: { browser: Browser }): Hit =>
  async () => {
    await app.db.delete(rateLimits).where(sql`key like 'account_creation:%'`)
    const { props } = await browser.submit('POST', '/accounts', { name: 'Acme' })
    const invitee = { email: `invited-${++addresses}@example.com`, role: 'member' }
    return submit(browser, 'POST', `/${props.account.slug}/invitations`, invitee)
  }

type Case = (app: FastifyInstance) => Promise<Hit>
type Method = Parameters<Browser['submit']>[0]

/** Submits the same form again and again, as a guest or as a person. */
const guest =
  (method: Method, url: string, body?: object): Case =>
  async (app) => {
    const browser = await Browser.open(app)
    return () => submit(browser, method, url, body)
  }
const person =
  (method: Method, url: string, body?: object): Case =>
  async (app) => {
    const { browser, slug } = await verified(app)
    return () => submit(browser, method, url.replace(':slug', slug), body)
  }

/** The same for requests of a script. */
const asJson =
  (open: (app: FastifyInstance) => Promise<{ browser: Browser }>, url: string): Case =>
  async (app) => {
    const { browser } = await open(app)
    const headers = { accept: 'application/json' }
    return async () => (await browser.request('POST', url, { headers })).statusCode === 429
  }
const asGuest = async (app: FastifyInstance) => ({ browser: await Browser.open(app) })

/** Submits several forms in turn, each time from another client. */
const inTurn =
  (forms: (slug: string, page: Page) => (readonly [Method, string, object?])[]): Case =>
  async (app) => {
    const { browser, slug } = await verified(app)
    const asked = forms(slug, await browser.visit(`/${slug}/members`))
    let count = 0
    return () => {
      const [method, url, body = {}] = asked[count++ % asked.length] ?? fail()
      return submit(browser, method, url, body, anotherClient())
    }
  }
const fail = () => {
  throw new Error('there is no form')
}

/** How to hit each limit. A new limit that is missing here does not compile. */
const cases: Record<LimitName, Case> = {
  async sign_in(app) {
    const browser = await Browser.open(app)
    let count = 0
    return () => submit(browser, 'POST', '/sign_in', { email: `somebody-${++count}@example.com`, password: 'wrong' })
  },
  sign_up: guest('POST', '/sign_up', nobody),
  async sign_up_check(app) {
    const browser = await Browser.open(app)
    return () => check(browser, 'POST', '/sign_up', nobody)
  },
  password_reset: guest('POST', '/identity/password_reset', { email: '' }),
  password_reset_finish: guest('PATCH', '/identity/password_reset', { sid: 'x' }),
  password_change: person('PATCH', '/settings/password', {}),
  email_change: person('PATCH', '/settings/email', {}),
  email_verification: person('POST', '/identity/email_verification'),
  user_deletion: person('DELETE', '/users'),
  account_deletion: person('DELETE', '/:slug'),
  data_export: person('POST', '/settings/export'),
  sessions_end: person('DELETE', '/sessions'),
  second_factor: asJson(asGuest, '/sign_in/verify'),
  email_restoration: guest('POST', '/identity/email_change'),
  not_mine: guest('POST', '/identity/not_mine'),
  second_factor_setup: person('POST', '/settings/second_factor'),
  second_factor_confirmation: person('PATCH', '/settings/second_factor'),
  second_factor_removal: person('DELETE', '/settings/second_factor'),
  recovery_codes: person('POST', '/settings/recovery_codes'),
  provider_start: guest('POST', '/sign_in/with/oidc'),
  provider_sign_up: guest('POST', '/sign_up/with/oidc'),
  async provider_sign_up_check(app) {
    const browser = await Browser.open(app)
    return () => check(browser, 'POST', '/sign_up/with/oidc', { name: '' })
  },
  identity_connection: person('POST', '/settings/identities/oidc', wrong),
  async identity_removal(app) {
    const { browser, user } = await signedUp(app)
    const subject = `limits-${user.id}`
    const values = { userId: user.id, provider: 'oidc', issuer: 'https://login.example.com', subject }
    const [identity] = await app.db.insert(identities).values(values).returning()
    return () => submit(browser, 'DELETE', `/settings/identities/${identity?.id}`, wrong)
  },
  password_link: person('POST', '/settings/password'),
  passkey: guest('POST', '/sign_in/passkey'),
  passkey_options: asJson(verified, '/settings/passkeys/options'),
  passkey_request: asJson(asGuest, '/sign_in/passkey/options'),
  passkey_addition: person('POST', '/settings/passkeys'),
  passkey_removal: person('DELETE', '/settings/passkeys/1'),
  async guess(app) {
    const { person } = await signedUp(app)
    const body = { email: person.email, password: 'a wrong password' }
    return async () => submit(await Browser.open(app), 'POST', '/sign_in', body, anotherClient())
  },
  challenge: inTurn((slug) => [
    ['PATCH', '/settings/password', wrong],
    ['PATCH', '/settings/email', wrong],
    ['DELETE', '/users', wrong],
    ['DELETE', '/sessions', wrong],
    ['POST', '/settings/export', wrong],
    ['DELETE', `/${slug}`, wrong],
    ['DELETE', '/settings/second_factor', wrong],
    ['DELETE', '/settings/passkeys/1', wrong],
    ['POST', '/settings/passkeys', wrong],
  ]),
  async reset_mail(app) {
    const { email } = await verified(app)
    const browser = await Browser.open(app)
    return sendsNothing(app, () =>
      browser.submit('POST', '/identity/password_reset', { email: ` ${email.toUpperCase()}` }, anotherClient()),
    )
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
  async open_invitation_mail(app) {
    const [inviter, { browser, email }] = [await signedUp(app), await verified(app)]
    await inviter.browser.submit('POST', `/${inviter.slug}/invitations`, { email, role: 'member' })
    const [{ id }] = (await browser.visit('/settings/profile')).props.open_invitations
    return sendsNothing(app, () => browser.submit('POST', `/invitations/open/${id}/accept`))
  },
  async notice_mail(app) {
    const { email, person } = await verified(app)
    return sendsNothing(app, async () => {
      const another = await Browser.open(app, { ip: anotherClient()['x-forwarded-for'] })
      await another.submit('POST', '/sign_in', { email, password: person.password })
    })
  },
  async invitation_sent(app) {
    return invites(app, await verified(app))
  },
  async invitation_sent_unverified(app) {
    return invites(app, await signedUp(app))
  },
  invitation: inTurn((slug) => [['POST', `/${slug}/invitations`, { email: '' }]]),
  async invitation_check(app) {
    const { browser, slug } = await signedUp(app)
    return () => check(browser, 'POST', `/${slug}/invitations`, { email: '' })
  },
  async token_creation(app) {
    const { browser } = await verified(app)
    return () => submit(browser, 'POST', '/settings/tokens', { ...wrong, name: 'CI', scope: 'read' })
  },
  async join(app) {
    const { browser } = await signedUp(app)
    return async () => (await browser.request('POST', '/join/unknown', {})).statusCode !== 404
  },
  async api_request(app) {
    const { browser } = await verified(app)
    const { flash } = await browser.submit('POST', '/settings/tokens', { ...right, name: 'CI', scope: 'read' })
    const headers = { authorization: `Bearer ${flash?.token}` }
    return async () => {
      const response = await app.inject({ url: '/api/v1/me', headers })
      if (response.statusCode === 429 && !response.headers['retry-after']) throw new Error('Retry-After is missing')
      return response.statusCode === 429
    }
  },
  async live_write(app) {
    const { browser } = await signedUp(app)
    return async () => {
      const body = { identifier: '{}', tab_id: 'tab' }
      const { statusCode, headers } = await browser.request('DELETE', '/live/presence', { body })
      if ((statusCode === 429) !== Number(headers['retry-after']) > 0) throw new Error('Retry-After is missing')
      return statusCode === 429
    }
  },
  account_change: inTurn((slug, { props }) => [
    ['PATCH', `/${slug}/settings`, { name: props.account.name }],
    ['PUT', `/${slug}/settings`, { name: '' }],
    ['PATCH', `/${slug}/members/${props.members[0].id}`, { role: 'owner' }],
    ['PUT', `/${slug}/members/${props.members[0].id}`, { role: 'admin' }],
    ['DELETE', `/${slug}/members/${props.members[0].id}`],
  ]),
  language: guest('POST', '/language', { language: 'en' }),
  profile_change: inTurn(() => [
    ['PATCH', '/settings/profile', { name: 'Ana' }],
    ['PUT', '/settings/profile', { name: 'Ben' }],
  ]),
  async activity_file(app) {
    const { browser } = await signedUp(app)
    return () => download(browser, '/settings/activity.csv')
  },
  async account_activity_file(app) {
    const { browser, slug } = await signedUp(app)
    return () => download(browser, `/${slug}/activity.csv`)
  },
  async picture_client(app) {
    const people = [await signedUp(app), await signedUp(app)]
    let count = 0
    const headers = anotherClient()
    return () => submit(people[count++ % 2]?.browser as Browser, 'PUT', '/settings/picture', {}, headers)
  },
  picture: inTurn((slug) => [
    ['PUT', '/settings/picture'],
    ['PUT', `/${slug}/picture`],
  ]),
  account_creation: inTurn(() => [['POST', '/accounts', { name: '' }]]),
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
  for (const name of Object.keys(limits) as LimitName[]) {
    const { max, windowSeconds } = limits[name]
    await started.db.delete(rateLimits)
    const hit = await cases[name](started.app)
    for (let count = 1; count <= max; count++) {
      if (await hit()) t.fail(`${name} is refused at ${count} of ${max}`)
      if (isLong(limits[name]) && count === 9) {
        count = max - 2
        await skip(started.app, name, count)
      }
    }
    t.ok(await hit(), `${name}: one more is refused`)
    const margin = windowSeconds / 6 // the database's clock goes on while the test takes its time
    await pass(started, windowSeconds - margin)
    t.ok(await hit(), `${name}: and still is at the end of its time`)
    await pass(started, margin + 1)
    t.notOk(await hit(), `${name}: after which it is let through`)
  }
})

t.test('limits per address, user or account are separate for others', async (t) => {
  const { app } = await sharedApp(t)
  for (const name of Object.keys(limits) as LimitName[]) {
    const { max, each } = limits[name]
    if (each === 'client') continue
    await app.db.delete(rateLimits)
    const [hit, ofAnother] = [await cases[name](app), await cases[name](app)]
    for (let count = 0; count < (each === 'session' ? max : 1); count++) await hit()
    await app.db.update(rateLimits).set({ hits: 1000 })
    t.ok(await hit(), name)
    t.notOk(await ofAnother(), name)
  }
})
