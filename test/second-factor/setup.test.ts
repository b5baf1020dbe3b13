import { eq, sql } from 'drizzle-orm'
import { Secret } from 'otpauth'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { secondFactors } from '../../drizzle/tables/second-factor.ts'
import { normalizeCode, stepOf } from '../../features/second-factor/codes.ts'
import { collectLines, startApp } from '../helpers/app.ts'
import type { Page } from '../helpers/browser.ts'
import { whileLocked } from '../helpers/database.ts'
import { challenge, signedIn, verifiedUp } from '../helpers/people.ts'
import { forgetMails, mailsOf, queuedMails, snapshot, typesOf } from '../helpers/records.ts'
import { codeAt, enable, recoveryCodesOf, start, typed, withSecondFactor, wrongCode } from '../helpers/second-factor.ts'

const { app, clock, db } = await startApp(t)

async function startSecurity() {
  const someone = await verifiedUp(app)
  await forgetMails(db)
  const confirm = (code: unknown) => someone.browser.submit('PATCH', '/settings/second_factor', { code })
  return { ...someone, confirm }
}

const factorOf = async (userId: number) =>
  (await db.select().from(secondFactors).where(eq(secondFactors.userId, userId)))[0]

t.test('a start shows a secret once, and a code from the app enables it and ends all other sessions', async (t) => {
  const { browser, person, confirm, user } = await startSecurity()
  const second = await signedIn(app, person)
  await forgetMails(db)
  const response = await browser.request('POST', '/settings/second_factor', { body: challenge })
  t.match(response, { statusCode: 302, headers: { location: '/settings/security' } })
  const { flash = {}, props } = await browser.follow(response)
  const { secret, uri, qr } = flash.setup as Awaited<ReturnType<typeof start>>
  t.match(secret, /^[A-Z2-7]{32}$/)
  t.ok(uri.startsWith(`otpauth://totp/Acme%20Accounts:${encodeURIComponent(person.email)}?`), uri)
  const settings = { issuer: 'Acme Accounts', secret, algorithm: 'SHA1', digits: '6', period: '30' }
  t.same(Object.fromEntries(new URL(uri).searchParams), settings)
  t.match(qr, /^<svg [^>]*>.*<\/svg>$/s)
  t.equal(props.second_factor, null, 'nothing is on yet')
  t.same((await browser.visit('/settings/security')).flash, {})

  for (const code of [await wrongCode(secret, clock.now()), '', null, undefined]) {
    const page = await confirm(code)
    t.equal(page.url, '/settings/security')
    t.same(page.props.errors, { code: ['is invalid'] })
    t.equal(page.props.second_factor, null)
  }
  const page = await confirm(typed(await codeAt(secret, clock.now())))
  t.equal(page.url, '/settings/security')
  t.equal(page.flash?.notice, 'Two-factor authentication is on')
  const codes = page.flash?.recovery_codes as string[]
  t.equal(new Set(codes).size, 10)
  for (const code of codes) t.match(code, /^[A-Z2-7]{16}$/)
  t.same(page.props.second_factor, { enabled_at: page.props.second_factor.enabled_at, recovery_codes_left: 10 })
  t.match(page.props.second_factor.enabled_at, /^\d{4}-.*\.\d{3}Z$/)
  t.same((await browser.visit('/settings/security')).flash, {})
  t.equal((await second.browser.visit('/settings/security')).component, 'auth/sign-in')
  t.same(await mailsOf(db, user.id), ['second_factor_enabled'])
})

t.test('a start whose session ends meanwhile keeps nothing', async (t) => {
  const { browser, user } = await startSecurity()
  const end = sql`delete from sessions where user_id = ${user.id}`
  const started = () => browser.request('POST', '/settings/second_factor', { body: challenge })
  t.equal((await whileLocked(db, end, started)).headers.location, '/sign_in')
  t.equal(await factorOf(user.id), undefined)
})

t.test('a setup not confirmed within ten minutes has no effect, and locks nobody out', async (t) => {
  const { browser, person, confirm } = await startSecurity()
  const { secret } = await start(browser)
  t.equal((await signedIn(app, person)).page.component, 'accounts/show', 'a password is enough until it is confirmed')

  clock.forward({ minutes: 10 })
  const page = await confirm(await codeAt(secret, clock.now()))
  t.same(page.flash, { alert: 'That took too long. Please start again' })
  t.equal(page.props.second_factor, null)
  t.equal((await signedIn(app, person)).page.component, 'accounts/show')

  const again = await start(browser)
  t.equal((await confirm(await codeAt(again.secret, clock.now()))).flash?.notice, 'Two-factor authentication is on')
})

t.test('two concurrent confirmations enable it once', async (t) => {
  const { browser, user } = await startSecurity()
  const { secret } = await start(browser)
  const body = { code: await codeAt(secret, clock.now()) }
  await Promise.all([1, 2].map(() => browser.request('PATCH', '/settings/second_factor', { body })))
  t.equal((await recoveryCodesOf(db, user.id)).length, 10)
})

t.test('turning it off makes the password sufficient again, and invalidates the recovery codes', async (t) => {
  const { browser, person, user } = await withSecondFactor({ app, clock })
  await forgetMails(db)

  const page = await browser.submit('DELETE', '/settings/second_factor', challenge)
  t.same(page.flash, { notice: 'Two-factor authentication is off' })
  t.equal(page.props.second_factor, null)
  t.same(await recoveryCodesOf(db, user.id), [])
  t.equal((await factorOf(user.id))?.secret, null)
  t.same(await mailsOf(db, user.id), ['second_factor_disabled'])
  t.equal((await signedIn(app, person)).page.component, 'accounts/show')

  await forgetMails(db)
  await browser.submit('DELETE', '/settings/second_factor', challenge)
  t.same(await queuedMails(db), [], 'what is off already is no news')
  t.same((await typesOf(db, user.id)).slice(-3), ['second_factor_enabled', 'second_factor_disabled', 'signed_in'])

  await enable(browser, { clock })
  await forgetMails(db)
  await db.update(users).set({ verified: false }).where(eq(users.id, user.id))
  await browser.submit('DELETE', '/settings/second_factor', challenge)
  t.same(await queuedMails(db), [], 'nor does an unverified address get a mail')
})

t.test('new recovery codes invalidate the old ones', async (t) => {
  const { browser, user, recoveryCodes: old, halfway } = await withSecondFactor({ app, clock })
  const page = await browser.submit('POST', '/settings/recovery_codes', challenge)
  const fresh = page.flash?.recovery_codes as string[]
  t.equal(new Set([...old, ...fresh]).size, 20)
  t.equal(page.props.second_factor.recovery_codes_left, 10)
  t.equal((await typesOf(db, user.id)).at(-1), 'recovery_codes_made')

  const { submit } = await halfway()
  t.same((await submit(old[0])).props.errors, { code: ['is invalid'] })
  t.equal((await submit(fresh[0])).component, 'accounts/show')
})

t.test("a sealed secret copied into another user's row does not open", async (t) => {
  const ana = await withSecondFactor({ app, clock })
  const ben = await withSecondFactor({ app, clock })
  const own = await factorOf(ana.user.id)
  await db.update(secondFactors).set({ secret: own?.secret }).where(eq(secondFactors.userId, ben.user.id))

  const { browser, prove } = await ben.halfway()
  clock.forward({ seconds: 30 })
  t.equal((await prove(await ana.code())).headers.location, '/sign_in/verify')
  t.notOk(browser.cookies.has('session_token'))
})

t.test('one-time secrets are not shown to the next user of the same browser', async (t) => {
  const { browser } = await startSecurity()
  await browser.request('POST', '/settings/second_factor', { body: challenge })
  const other = await verifiedUp(app)
  other.browser.cookies.set('flash', browser.cookies.get('flash') ?? '')
  t.same((await other.browser.visit('/settings/security')).flash, {})
})

t.test('a secret and recovery codes are shown once, and never in a table, history, log, job or reload', async (t) => {
  const { lines, logTo } = collectLines()
  const { app, clock, db } = await startApp(t, { LOG_LEVEL: 'trace' }, { logTo })
  const { browser } = await verifiedUp(app)

  const seen: string[] = []
  // The client keeps everything of a page in its history except the flash.
  const once = ({ flash, ...page }: Page) => {
    seen.push(JSON.stringify(page))
    return flash?.recovery_codes as string[]
  }
  const stored = async () =>
    JSON.stringify(await snapshot(db, 'second_factors', 'recovery_codes', 'activities', 'pgboss.job'))
  const { secret, uri, qr } = await start(browser)
  seen.push(await stored(), JSON.stringify(await browser.visit('/settings/security')))
  const code = await codeAt(secret, clock.now())
  const codes = once(await browser.submit('PATCH', '/settings/second_factor', { code }))
  seen.push(JSON.stringify(await browser.visit('/settings/security')))
  codes.push(...once(await browser.submit('POST', '/settings/recovery_codes', challenge)))
  t.equal(codes.length, 20)
  const part = {
    'x-inertia-partial-component': 'settings/security',
    'x-inertia-partial-data': 'second_factor,flash,setup,recovery_codes',
  }
  seen.push(JSON.stringify(await browser.visit('/settings/security', part)))

  seen.push(await stored(), JSON.stringify(lines))
  t.ok(lines.length > 10)
  for (const text of seen) {
    for (const word of [secret, uri, qr, code, ...codes])
      t.notOk(text.includes(word), `${word.slice(0, 8)} in ${text.slice(0, 40)}`)
  }
})

t.test('a code is valid in its time step and one step either way', async (t) => {
  const secret = Secret.fromLatin1('12345678901234567890').base32
  const at = new Date(1_800_000_000_000)
  const step = 1_800_000_000 / 30
  const code = await codeAt(secret, at)
  const seconds = [-31, -30, -1, 0, 29, 30, 59, 60]
  const found = seconds.map((ahead) => stepOf(secret, code, new Date(at.getTime() + ahead * 1000)))
  t.same(found, [undefined, step, step, step, step, step, step, undefined])
})

t.test('the six digits of an app may be those of any script, and everything else stays as it is', async (t) => {
  for (const given of [
    '123456',
    '١٢٣٤٥٦', // Arabic
    '۱۲۳۴۵۶', // Persian
    '१२३४५६', // Devanagari
    '１２３４５６', // full-width
    '𝟙𝟚𝟛𝟜𝟝𝟞', // mathematical, which follow other digits without a gap
    '12۳٤५６',
    '\u2067١٢٣\u00a0–\u2009٤٥٦\u2069',
  ])
    t.equal(normalizeCode(given), '123456', given)
  for (const given of ['١٢٣٤٥', '①②③④⑤⑥', '一二三四五六']) t.equal(normalizeCode(given), given)
  t.equal(normalizeCode('abcd-efgh ijkl'), 'ABCDEFGHIJKL')
})
