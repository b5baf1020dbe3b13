import { EventEmitter, once } from 'node:events'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { accounts, sessions } from '../../drizzle/schema.ts'
import { password, verifiedUp } from '../helpers/people.ts'
import { addAuthenticator } from './authenticator.ts'
import { checkAll, violations } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { enter, holdLine } from './steps.ts'

t.test('a passkey is suggested to whoever has none, until they say no', { skip }, async (t) => {
  const page = await openSignedIn(t, 'true')
  await page.goto('/ana')
  const offer = page.getByRole('region', { name: 'Next time without your password?' })
  await offer.waitFor()
  t.same(await violations(page), [])
  await offer.getByRole('link', { name: 'Add a passkey' }).click()
  await page.waitForURL('/settings/security#passkeys')
  await page.goto('/ana')
  await page.getByRole('definition').filter({ hasText: /^1$/ }).waitFor()
  t.equal(await offer.count(), 0, 'for good')
})

t.test('whoever says no to a passkey is left on the heading', { skip }, async (t) => {
  const page = await openSignedIn(t, 'true')
  await page.goto('/ana')
  await page.getByRole('button', { name: 'No, thanks' }).press('Enter')
  await page.locator('h1:focus').getByText('Ana').waitFor()
})

t.test('a browser that cannot keep passkeys says so, and offers none', { skip }, async (t) => {
  const page = await openSignedIn(t, 'true')
  await page.addInitScript('delete globalThis.PublicKeyCredential')
  await page.goto('/settings/security')
  await page.getByText("This browser can't store passkeys.").waitFor()
  t.same(await violations(page), [])
  t.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0)
  await page.goto('/ana')
  await page.getByRole('definition').filter({ hasText: /^1$/ }).waitFor()
  t.equal(await page.getByRole('link', { name: 'Add a passkey' }).count(), 0)
})

for (const ssr of ['false', 'true']) {
  t.test(`a person adds a passkey and signs in with it, with SSR_ENABLED=${ssr}`, { skip }, async (t) => {
    const page = await openSignedIn(t, ssr)
    await addAuthenticator(page)
    await page.addInitScript(
      `if (sessionStorage.quiet) PublicKeyCredential.isConditionalMediationAvailable = async () => false`,
    )
    await page.goto('/settings/security')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Current password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('That is not your current password').waitFor()
    t.same(await violations(page), [], 'asked for the password')
    await page.getByLabel('Current password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Passkey added').waitFor()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page
      .getByRole('strong')
      .filter({ hasText: /^Chrom.* on Linux, / })
      .waitFor()
    t.same(await violations(page), [], 'listed')

    await page.getByRole('button', { name: /^Rename/ }).click()
    await page.getByLabel('Name', { exact: true }).fill('Blue key')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByText('Passkey renamed').waitFor()
    await page.locator('strong', { hasText: 'Blue key' }).waitFor()

    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Current password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('You already have a passkey on this device').waitFor()

    await t.test('with the button', async (t) => {
      await offersByItself(page, false) // otherwise autofill would offer the passkey first
      await signOut(page)
      t.equal(await page.getByLabel('Email').getAttribute('autocomplete'), 'username webauthn')
      t.same(await violations(page), [], 'the sign-in page')
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.waitForURL('/ana')
      await page.getByText('Signed in successfully').waitFor()
      await page.goto('/settings/security')
      await page.getByText('used just now').waitFor()
    })

    await t.test('with conditional UI, without a button', async () => {
      await offersByItself(page, true)
      await signOut(page)
      await page.waitForURL('/ana')
      await page.getByText('Signed in successfully').waitFor()
    })

    await t.test('not after it was removed', async () => {
      await page.goto('/settings/security')
      await page.getByRole('button', { name: 'Remove Blue key' }).click()
      await page.getByLabel('Current password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByText('Passkey removed').waitFor()
      await offersByItself(page, false)
      await signOut(page)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByText("That passkey didn't work. Try again").waitFor()
    })
  })
}

t.test('leaving the sign-in page cancels its passkey prompt', { skip }, async (t) => {
  const page = await openSignedIn(t, 'false')
  const authenticator = await addAuthenticator(page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Current password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Passkey added').waitFor()
  await authenticator.present(false)
  const events = new EventEmitter()
  await page.exposeFunction('tell', (event: string) => events.emit(event))
  await page.addInitScript(`{
    const get = CredentialsContainer.prototype.get
    CredentialsContainer.prototype.get = function (options) {
      tell('asked')
      options.signal.addEventListener('abort', () => tell('called off'))
      return get.call(this, options)
    }
  }`)
  const asked = once(events, 'asked')
  await signOut(page)
  await asked
  const calledOff = once(events, 'called off')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.waitForURL('/identity/password_reset/new')
  await calledOff
  await authenticator.present(true)
  await page.getByLabel('Email').fill('somebody@example.com')
  t.equal(new URL(page.url()).pathname, '/identity/password_reset/new')
})

t.test('a session that began with a password proves a passkey when an account requires it', { skip }, async (t) => {
  const { app, open } = await startBrowser(t, { SSR_ENABLED: 'true' })
  const { browser } = await verifiedUp(app, { name: 'Ana', email: 'ana@example.com' })
  const page = await open({ as: browser })
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  await addAuthenticator(page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Current password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Passkey added').waitFor()
  await app.db.update(accounts).set({ requireSecondFactor: true })
  await page.goto('/settings/sessions')
  await page.getByText(/^Signed in .* with a passkey$/).waitFor()

  await signOut(page)
  await enter(page, { email: 'ana@example.com' })
  await page.waitForURL('/sign_in/verify')
  await page.getByRole('heading', { name: "Prove it's you" }).waitFor()
  t.equal(await page.getByLabel('Code', { exact: true }).count(), 0, 'there is no app to ask')
  await checkAll(t, page, 'the proof')
  await page.getByRole('link', { name: 'Go to your settings' }).click()
  await page.waitForURL('/settings/security')
  await page.goto('/settings/sessions')
  await page.getByText(/^Signed in .* with a password$/).waitFor()
  await checkAll(t, page, 'the sessions')

  await page.goto('/ana/members')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL('/ana/members')
})

async function openSignedIn(t: Test, ssr: string) {
  const { app, open } = await startBrowser(t, { SSR_ENABLED: ssr })
  const { browser } = await verifiedUp(app, { name: 'Ana', email: 'ana@example.com' })
  return open({ as: browser })
}

/** Turns conditional UI on or off, from the next document on. */
const offersByItself = (page: Page, offers: boolean) =>
  page.evaluate(offers ? `sessionStorage.removeItem('quiet')` : `sessionStorage.setItem('quiet', '1')`)

async function signOut(page: Page) {
  await page.goto('/ana')
  await page.getByRole('button', { name: /^Menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByText('You are signed out').waitFor()
}

t.test('a passkey whose code cannot be loaded is tried again', { skip }, async (t) => {
  const { open } = await startBrowser(t)
  const page = await open({ expects: ['offline'] })
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  await page.route(/\/assets\/webauthn-.*\.js$/, (route) => route.abort(), { times: 1 })
  await page.goto('/sign_in')
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  await button.click()
  await page.getByText("That passkey didn't work").waitFor()
  const asked = page.waitForRequest('**/sign_in/passkey/options')
  await button.click()
  await asked
})

t.test('a dialog that is closed before the device asks adds no passkey', { skip }, async (t) => {
  const { app, open } = await startBrowser(t)
  const ana = await verifiedUp(app)
  const page = await open({ as: ana.browser })
  await addAuthenticator(page)
  await page.goto('/settings/security')
  await page.evaluate(`{ window.asks = 0; const { create } = CredentialsContainer.prototype
    CredentialsContainer.prototype.create = function (given) { asks++; return create.call(this, given) } }`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Current password', { exact: true }).fill(password)
  await holdLine(page)
  const answered = page.waitForResponse('**/settings/passkeys/options')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await answered
  await page.waitForLoadState('networkidle')
  t.equal(await page.evaluate('asks'), 0)
})

t.test('a session that ended elsewhere is explained where a passkey is to be added, too', { skip }, async (t) => {
  const { app, db, open } = await startBrowser(t)
  const ana = await verifiedUp(app)
  const page = await open({ as: ana.browser, expects: [401] })
  await addAuthenticator(page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Current password', { exact: true }).fill(password)
  await db.delete(sessions).where(eq(sessions.userId, ana.user.id))
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByText("You've been signed out").waitFor()
})
