import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { rateLimits } from '../../../drizzle/schema.ts'
import { type LimitName, tryTakeMail } from '../../../plugins/security/limits/index.ts'
import { definedLimits, limitOf } from '../../../plugins/security/limits/table.ts'
import { sharedApp, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { environment } from '../../helpers/everything.ts'
import {
  anotherClient,
  type Cases,
  guest,
  inTurn,
  invites,
  isRefused,
  json,
  newAddress,
  nobody,
  person,
  precognitive,
  sendsNothing,
  wrong,
} from '../../helpers/limits.ts'
import { signedIn, signedUp, startAcme, verifiedUp, verify } from '../../helpers/people.ts'

/** Those of the core. */
const coreCases: Cases = {
  sign_in: guest('POST', '/sign_in', { email: 'nobody@example.com', password: 'wrong' }),
  second_factor: guest('POST', '/sign_in/verify', {}, json),
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
  data_export: person('POST', '/settings/export'),
  sessions_end: person('DELETE', '/sessions'),
  email_restoration: guest('POST', '/identity/email_change'),
  not_mine: guest('POST', '/identity/not_mine'),
  password_link: person('POST', '/settings/password'),
  async guess(app) {
    const { person } = await signedUp(app)
    const body = { email: person.email, password: 'a wrong password' }
    return async () => isRefused(await Browser.open(app), 'POST', '/sign_in', body, anotherClient())
  },
  challenge: inTurn(
    ...['/settings/password', '/settings/email'].map((url) => ['PATCH', url, wrong] as const),
    ...['/settings/export'].map((url) => ['POST', url, wrong] as const),
    ...['/users', '/sessions', '/:slug'].map((url) => ['DELETE', url, wrong] as const),
  ),
  async reset_mail(app) {
    const { person } = await verifiedUp(app)
    const browser = await Browser.open(app)
    const body = { email: ` ${person.email.toUpperCase()}` }
    return sendsNothing(app, () => browser.submit('POST', '/identity/password_reset', body, anotherClient()))
  },
  async verification_mail(app) {
    const email = newAddress()
    let browser: Browser | undefined
    return sendsNothing(app, async () => {
      if (browser) return browser.submit('POST', '/identity/email_verification', {}, anotherClient())
      browser = (await signedUp(app, { email })).browser
    })
  },
  async invitation_mail(app) {
    const email = newAddress()
    return async () => {
      const { browser, slug } = await signedUp(app)
      const { props } = await browser.submit('POST', `/${slug}/invitations`, { email, role: 'member' })
      return props.errors.email?.[0] === "can't be invited again today"
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
  account_creation: inTurn(['POST', '/accounts', { name: '' }]),
}

const root = fileURLToPath(new URL('../../../', import.meta.url))
const ofOptions: { cases: Cases }[] = await Promise.all(
  globSync('test/*/limit-cases.ts', { cwd: root }).map((file) => import(root + file)),
)
const cases: Cases = Object.assign({}, coreCases, ...ofOptions.map((each) => each.cases))

function caseOf(name: LimitName) {
  const found = cases[name]
  if (!found) throw new Error(`${name} has no case`)
  return found
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
  const started = await startApp(t, environment)
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
