import { eq } from 'drizzle-orm'
import t from 'tap'
import { trustedBrowsers } from '../../drizzle/tables/second-factor.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { Authenticator, register, requestOptions } from '../helpers/passkeys.ts'
import { challenge, forgotten, password, verifiedUp } from '../helpers/people.ts'
import { forgetMails, queuedMails, typesOf } from '../helpers/records.ts'
import { methodOf, withSecondFactor } from '../helpers/second-factor.ts'

const { app, clock, db } = await startApp(t)
const security = '/settings/security'

/** A browser that its owner has just trusted, after a sign-out. */
async function trusted() {
  const someone = await withSecondFactor({ app, clock })
  const { browser } = await someone.halfway()
  const page = await browser.submit('POST', '/sign_in/verify', { code: await someone.code(), trust: true })
  t.equal(page.flash?.notice, 'Signed in successfully')
  return { ...someone, trusting: browser, again: () => signInAgain(browser, someone.person) }
}

/** The page after the password, in a browser whose session is over. */
async function signInAgain(browser: Browser, { email }: { email: string }, secret = password) {
  browser.cookies.delete('session_token')
  await browser.document('/sign_in')
  return browser.submit('POST', '/sign_in', { email, password: secret })
}

t.test('for thirty days it needs no second step, and its sessions count as ones with two', async (t) => {
  await forgetMails(db)
  const { again, trusting, user, browser } = await trusted()
  const told = (await queuedMails(db)).filter(({ mail }) => mail === 'new_sign_in')
  t.same(told, [{ ...told[0], trusted: true }])
  t.equal((await again()).component, 'accounts/show')
  t.equal(await methodOf(trusting), 'password_and_trusted_browser')
  const acme = await trusting.submit('POST', '/accounts', { name: 'Acme' })
  const path = `/${acme.props.account.slug}`
  await trusting.submit('PATCH', `${path}/settings`, { require_second_factor: true })
  await again()
  t.equal((await trusting.visit(path)).component, 'accounts/show', 'where a second factor is required')

  t.equal((await browser.visit(security)).props.trusted_browsers, 1)
  t.ok((await typesOf(db, user.id)).includes('browser_trusted'))
  clock.forward({ minutes: 30 * 24 * 60 })
  t.equal((await again()).component, 'auth/second-factor')
  t.equal((await browser.visit(security)).props.trusted_browsers, 0)
  await app.sweeper.sweep()
  t.equal(await db.$count(trustedBrowsers, eq(trustedBrowsers.userId, user.id)), 0)
})

t.test('it is off unless asked for with a right code, and never for a recovery code', async (t) => {
  const { halfway, code, recoveryCodes, person } = await withSecondFactor({ app, clock })
  for (const body of [
    { code: await code() },
    { code: recoveryCodes[0], trust: true },
    { code: 'wrong', trust: true },
  ]) {
    const { browser } = await halfway()
    await browser.submit('POST', '/sign_in/verify', body)
    t.equal((await signInAgain(browser, person)).component, 'auth/second-factor', JSON.stringify(body))
  }
  t.equal(await db.$count(trustedBrowsers), 0)
})

t.test('a wrong password, another person, another browser and an older cookie are not trusted', async (t) => {
  const { halfway, code, person } = await withSecondFactor({ app, clock })
  const { browser, submit } = await halfway()
  await submit(await code())
  const older = await Browser.open(app)
  older.cookies.set('device', browser.cookies.get('device') ?? '')
  clock.forward({ seconds: 30 })
  await signInAgain(browser, person)
  await browser.submit('POST', '/sign_in/verify', { code: await code(), trust: true })
  t.equal((await signInAgain(browser, person)).component, 'accounts/show')

  const page = await signInAgain(browser, person, 'a wrong password')
  t.equal(page.flash?.alert, 'That email or password is incorrect')
  const other = await withSecondFactor({ app, clock })
  t.equal((await signInAgain(browser, other.person)).component, 'auth/second-factor')
  for (const stranger of [older, await Browser.open(app)]) {
    t.equal((await signInAgain(stranger, person)).component, 'auth/second-factor')
  }
})

t.test('a passkey is enough to trust a browser, and to be asked for nothing in it', async (t) => {
  const { browser, person } = await verifiedUp(app)
  const authenticator = new Authenticator()
  await register(browser, authenticator)
  await signInAgain(browser, person)
  const response = authenticator.get(await requestOptions(browser))
  await browser.submit('POST', '/sign_in/verify', { response, trust: true })
  t.equal((await browser.visit(security)).props.trusted_browsers, 1)
  await signInAgain(browser, person)
  t.equal(await methodOf(browser), 'password_and_trusted_browser')
})

t.test('trust ends with what it was built on', async (t) => {
  const changed = { password: 'another long password', password_confirmation: 'another long password' }
  const ends: Record<string, (someone: Awaited<ReturnType<typeof trusted>>) => Promise<unknown>> = {
    async forget({ trusting }) {
      const page = await trusting.submit('DELETE', '/settings/trusted_browsers')
      t.match(page, { flash: { notice: 'Trusted browsers forgotten' }, props: { trusted_browsers: 0 } })
    },
    change: ({ trusting }) => trusting.submit('PATCH', '/settings/password', { ...challenge, ...changed }),
    reset: ({ user }) => forgotten(app, user.id),
    turnOff: ({ trusting }) => trusting.submit('DELETE', '/settings/second_factor', challenge),
  }
  for (const [name, end] of Object.entries(ends)) {
    const someone = await trusted()
    await end(someone)
    t.equal(await db.$count(trustedBrowsers, eq(trustedBrowsers.userId, someone.user.id)), 0, name)
  }
})
