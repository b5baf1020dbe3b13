import { eq, like } from 'drizzle-orm'
import t from 'tap'
import { rateLimits, sessions, users } from '../../drizzle/schema.ts'
import { mailCodes } from '../../drizzle/tables/mail-codes.ts'
import { keyOf } from '../../plugins/security/limits/index.ts'
import { collectLines, type Line, startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { untilAllTried } from '../helpers/jobs.ts'
import { codesOf, subject } from '../helpers/mail-codes.ts'
import { changeEmail, nextIp, openGuest, password, signedIn, signedUp, userRow, verifiedUp } from '../helpers/people.ts'
import { linksIn, queuedMails, typesOf } from '../helpers/records.ts'
import { typed, withSecondFactor } from '../helpers/second-factor.ts'
import { startSmtp } from '../helpers/smtp.ts'

const smtp = await startSmtp(t)
const demo = { DEMO_ADMIN_EMAIL: 'demo@example.com', DEMO_ADMIN_PASSWORD: 'a demo password' }
const { app, clock, db } = await startApp(t, { ...smtp.environment, ...demo })
const statements = new Map<unknown, number>()
app.addHook('onResponse', async ({ id, queries }) => void statements.set(id, queries.count))
await app.jobs.startWorkers()

const expired = { alert: 'That code has expired. Ask for a new one' }

const ask = (browser: Browser, email: unknown, more: object = {}) =>
  browser.submit('POST', '/sign_in/code', { email, ...more })
const enter = (browser: Browser, code: string) => browser.submit('POST', '/sign_in/code/verify', { code })

const receive = codesOf(smtp)

/** A person with a verified address, and a browser that asked for a code, which has arrived. */
async function withCode(more?: object) {
  const someone = await verifiedUp(app)
  const browser = await openGuest(app)
  const page = await ask(browser, someone.person.email, more)
  return { ...someone, owner: someone.browser, browser, page, ...(await receive(someone.person.email)) }
}
const otherThan = (code: string) => String((Number(code) + 1) % 100_000_000).padStart(8, '0')

t.test('every address gets the same answer, with as many statements, one row and one job', async (t) => {
  const verified = await verifiedUp(app)
  const unverified = await signedUp(app)
  const asked = [verified.person.email, unverified.person.email, 'nobody@example.com', demo.DEMO_ADMIN_EMAIL]
  const nonsense = ['', 'no address', '\0', undefined, null, 7, ['a@example.com'], 'x'.repeat(10_000)]
  const seen = new Set<string>()
  for (const email of [...asked, ...nonsense]) {
    const browser = await openGuest(app)
    const before = await db.$count(mailCodes)
    const response = await browser.request('POST', '/sign_in/code', { body: { email } })
    const rows = (await db.$count(mailCodes)) - before
    seen.add(
      JSON.stringify([
        response.statusCode,
        response.headers.location,
        statements.get(response.headers['x-request-id']),
        rows,
      ]),
    )
    t.match(await browser.follow(response), { component: 'auth/code', flash: {} })
  }
  t.equal(seen.size, 1, [...seen].join())
  t.match((await queuedMails(db)).filter(({ mail }) => mail === 'sign_in_code').length, asked.length + nonsense.length)
  t.match(await receive(verified.person.email), { code: /^\d{8}$/ })
  await untilAllTried(db)
  t.equal(smtp.mails.filter((mail) => subject.test(mail.subject ?? '')).length, 1, 'only the verified one gets a mail')
})

t.test('the mail has the code alone in its subject and once in its text, and nothing to click', async (t) => {
  const { mail, code, person } = await withCode()
  t.equal(mail.to?.[0]?.address, person.email)
  t.equal(mail.text?.split(code).length, 2)
  t.match(mail.text, 'Never tell it to anybody')
  t.equal(mail.html?.split(`>${code}<`).length, 2)
  t.same(linksIn(mail.html), [])
  t.notMatch(mail.text, /https?:/)
})

t.test('a right code signs in, once, in the browser that asked, and proves the address', async (t) => {
  const { browser, code, user, slug, page } = await withCode()
  t.match(page, { component: 'auth/code', url: '/sign_in/code' })
  await db.update(users).set({ provedEmail: null }).where(eq(users.id, user.id))
  const elsewhere = await openGuest(app)
  t.equal((await enter(elsewhere, code)).url, '/sign_in', 'a browser that asked for none')
  await ask(elsewhere, 'nobody@example.com')
  t.same((await enter(elsewhere, code)).props.errors, { code: ['is invalid'] }, 'one that asked for another')

  const copy = browser.copy()
  const signedInPage = await enter(browser, typed(code))
  t.match(signedInPage, { url: `/${slug}`, flash: { notice: 'Signed in successfully' } })
  const [session] = await db.select().from(sessions).where(eq(sessions.token, signedInPage.props.auth.session.id))
  t.equal(session?.firstFactor, 'email_code')
  t.equal((await userRow(db, user.id)).provedEmail, signedInPage.props.auth.user.email)
  t.equal((await typesOf(db, user.id)).at(-1), 'signed_in')
  t.match((await smtp.next('New sign-in to Acme Accounts')).text, /Signed in: with a code by mail/)
  t.equal((await enter(copy, code)).url, '/sign_in')
})

t.test('0.3.0 reads what the browser keeps of it, and writes the same', async (t) => {
  const { browser, person } = await withCode()
  const sealed = decodeURIComponent(browser.cookies.get('mail_code') ?? '')
  const kept = JSON.parse(app.sealing.open(sealed, 'mail_code') ?? '{}')
  t.match(kept, { id: String, email: person.email, expires: Number })
})

t.test('of two that enter the same code at once, one gets in', async (t) => {
  const { browser, code } = await withCode()
  const tab = browser.copy()
  const pages = await Promise.all([enter(browser, code), enter(tab, code)])
  t.same(pages.map(({ component }) => component).toSorted(), ['accounts/show', 'auth/sign-in'])
  t.same(pages.find(({ component }) => component === 'auth/sign-in')?.flash, expired)
})

t.test('five wrong codes void it, also if many are entered at once', async (t) => {
  const { browser, code } = await withCode()
  for (let count = 0; count < 4; count++)
    t.same((await enter(browser, otherThan(code))).props.errors, { code: ['is invalid'] })
  t.match(await enter(browser, otherThan(code)), { url: '/sign_in', flash: expired })
  t.match(await enter(browser, code), { url: '/sign_in' })

  const next = await withCode()
  const guesses = Array.from({ length: 12 }, () => next.browser.copy())
  const guess = (guesser: Browser) =>
    guesser.request('POST', '/sign_in/code/verify', {
      body: { code: otherThan(next.code) },
      headers: { 'x-forwarded-for': nextIp() },
    })
  const answers = await Promise.all(guesses.map(guess))
  t.equal(answers.filter(({ headers }) => headers.location === '/sign_in/code').length, 4)
  t.match(await enter(next.browser, next.code), { url: '/sign_in', flash: expired })
})

t.test('a code is void after ten minutes, with a newer one, and after a change of password or address', async (t) => {
  const late = await withCode()
  const unknown = await openGuest(app)
  await ask(unknown, 'nobody@example.com')
  clock.forward({ minutes: 10 })
  t.match(await enter(late.browser, late.code), { url: '/sign_in', flash: expired })
  t.match(
    await enter(unknown, '12345678'),
    { url: '/sign_in', flash: expired },
    'which tells nobody who has an account',
  )

  const renewed = await withCode()
  await ask(renewed.browser, renewed.person.email)
  const { code } = await receive(renewed.person.email)
  await db.delete(rateLimits)
  for (let count = 0; count < 6; count++) {
    const { url, props } = await enter(renewed.browser, renewed.code)
    t.match([url, props.errors], ['/sign_in/code', { code: ['is an older one. Use the newest mail'] }])
  }
  t.equal(await db.$count(rateLimits, like(rateLimits.key, 'guess:%')), 0, 'which is no guess')
  t.match(await enter(renewed.browser, code), { component: 'accounts/show' })

  const changed = await withCode()
  const fresh = { password: 'another good password', password_confirmation: 'another good password' }
  await changed.owner.submit('PATCH', '/settings/password', { ...fresh, password_challenge: password })
  t.match(await enter(changed.browser, changed.code), { url: '/sign_in', flash: expired })
  const moved = await withCode()
  await changeEmail({ browser: moved.owner }, `moved-${moved.person.email}`)
  t.match(await enter(moved.browser, moved.code), { url: '/sign_in', flash: expired })
  const deleted = await withCode()
  await deleted.owner.submit('DELETE', '/users', { password_challenge: password })
  t.match(await enter(deleted.browser, deleted.code), { url: '/sign_in', flash: expired })
})

t.test('with a second factor, a code is one factor', async (t) => {
  const { person, user, code: appCode } = await withSecondFactor({ app, clock })
  const browser = await openGuest(app)
  await ask(browser, person.email)
  const { code } = await receive(person.email)
  t.match(await enter(browser, code), { component: 'auth/second-factor' })
  t.equal((await browser.visit('/settings/profile')).component, 'auth/sign-in', 'no page is open')
  await browser.submit('POST', '/sign_in/verify', { code: await appCode() })
  const began = await db.select().from(sessions).where(eq(sessions.userId, user.id))
  t.ok(began.some(({ firstFactor, secondFactor }) => `${firstFactor} ${secondFactor}` === 'email_code code'))
})

t.test('it leads to the requested page, and only guests ask', async (t) => {
  const someone = await withCode({ return_to: '/settings/security' })
  t.equal((await enter(someone.browser, someone.code)).url, '/settings/security')
  t.same((await ask(someone.browser, someone.person.email)).flash, { notice: 'You are already signed in' })
  const guest = await openGuest(app)
  t.equal((await guest.visit('/sign_in/code')).url, '/sign_in')
  const { component, props } = await guest.visit('/sign_in/code/new?return_to=/settings/security')
  t.match({ component, props }, { component: 'auth/new-code', props: { return_to: '/settings/security' } })
  t.equal((await guest.precognize('POST', '/sign_in/code', { email: '' })).statusCode, 400)
  t.equal((await guest.precognize('POST', '/sign_in/code/verify', { code: '' })).statusCode, 400)
})

t.test('wrong codes count like wrong passwords, of unknown addresses as well', async (t) => {
  const { person } = await verifiedUp(app)
  for (const email of [person.email, 'unknown@example.com']) {
    const ofAddress = eq(rateLimits.key, keyOf('guess', email))
    const guessFour = async () => {
      const browser = await openGuest(app)
      await ask(browser, email)
      const statuses: number[] = []
      for (let count = 0; count < 4; count++) {
        const headers = { 'x-forwarded-for': nextIp(), accept: 'application/json' }
        const sent = { body: { code: '1' }, headers }
        statuses.push((await browser.request('POST', '/sign_in/code/verify', sent)).statusCode)
      }
      return statuses
    }
    t.notOk((await guessFour()).includes(429), email)
    t.match(await db.select().from(rateLimits).where(ofAddress), [{ hits: 4 }])
    await db.update(rateLimits).set({ hits: 97 }).where(ofAddress)
    t.same(
      (await guessFour()).map((status) => status === 429),
      [false, false, false, true],
      'a hundred in an hour',
    )
    const { page } = await signedIn(app, { email, password })
    t.same(page.flash, { alert: 'Try again later.' })
  }
})

t.test('strangers use up neither the codes nor the reset mails of a browser that knows the person', async (t) => {
  const { person, browser, session } = await verifiedUp(app)
  const requests = ['/sign_in/code', '/identity/password_reset']
  const isTheirs = ({ to }: (typeof smtp.mails)[number]) => to?.[0]?.address === person.email
  const received = () =>
    smtp.mails.filter(isTheirs).filter(({ subject: line = '' }) => subject.test(line) || line === 'Reset your password')
  for (let count = 0; count < 11; count++) {
    const stranger = await openGuest(app)
    for (const path of requests) await stranger.submit('POST', path, { email: person.email })
  }
  await untilAllTried(db)
  t.equal(received().length, 20)
  await browser.submit('DELETE', `/sessions/${session}`)
  for (let count = 0; count < 11; count++) {
    const headers = { 'x-forwarded-for': nextIp() }
    for (const path of requests) await browser.request('POST', path, { body: { email: person.email }, headers })
    await untilAllTried(db) // a newer code of this browser would void one whose mail is still to be sent
  }
  t.equal(received().length, 40, 'of the same size')
})

t.test('without it, nothing is there', async (t) => {
  t.equal((await (await openGuest(app)).visit('/sign_in')).props.mail_codes, true)
  const environments: Record<string, string>[] = [{ MAIL_CODES: 'off' }, { NODE_ENV: 'production' }]
  for (const environment of environments) {
    const without = await startApp(t, environment)
    const browser = await Browser.open(without.app)
    t.equal((await browser.visit('/sign_in')).props.mail_codes, undefined)
    for (const path of ['/sign_in/code', '/sign_in/code/new'])
      t.equal((await browser.request('GET', path)).statusCode, 404)
    t.equal((await browser.request('POST', '/sign_in/code', { body: { email: 'a@example.com' } })).statusCode, 404)
  }
})

t.test('a code that expired in the queue is a mail that was skipped, and no job that was done', async (t) => {
  const { lines, logTo } = collectLines()
  const late = await startApp(t, { ...smtp.environment, LOG_LEVEL: 'info' }, { logTo })
  const { person } = await verifiedUp(late.app)
  await ask(await openGuest(late.app), person.email)
  late.clock.forward({ minutes: 11 })
  await late.app.jobs.startWorkers()
  await untilAllTried(late.db)
  const isAboutCode = (line: Line) => line.mail === 'sign_in_code' || line.job === 'sign_in_code'
  t.same(
    lines.filter(isAboutCode).map(({ msg }) => msg),
    ['mail skipped'],
  )
})
