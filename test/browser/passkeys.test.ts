import { EventEmitter, once } from 'node:events'
import type { Page } from 'playwright-core'
import t from 'tap'
import { verifiedUp } from '../helpers/people.ts'
import { checkAll } from './axe.ts'
import { sharedBrowser, skip } from './chromium.ts'
import { comesTrue, confirm } from './steps.ts'

t.test('a person adds a passkey and signs in with it', { skip }, async (t) => {
  const { app, open } = await sharedBrowser(t, { SSR_ENABLED: 'true' })
  const page = await open({ as: (await verifiedUp(app, { name: 'Ana', email: 'ana@example.com' })).browser })
  const authenticator = await addAuthenticator(page)
  await page.addInitScript(
    `if (sessionStorage.quiet) PublicKeyCredential.isConditionalMediationAvailable = async () => false`,
  )
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await confirm(page, 'Add')
  await page.getByText('Passkey added').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page
    .getByRole('strong')
    .filter({ hasText: /^Chrom.* on Linux, / })
    .waitFor()
  await checkAll(t, page, 'listed')

  await page.getByRole('button', { name: /^Rename/ }).click()
  await page.getByLabel('Name', { exact: true }).fill('Blue key')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByText('Passkey renamed').waitFor()
  await page.locator('strong', { hasText: 'Blue key' }).waitFor()

  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await confirm(page, 'Add')
  await page.getByText('You already have a passkey on this device').waitFor()

  await t.test('with the button', async (t) => {
    await offersByItself(page, false) // otherwise autofill would offer the passkey first
    await signOut(page)
    t.equal(await page.getByLabel('Email').getAttribute('autocomplete'), 'username webauthn')
    await page.getByText('More ways').click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL('/ana')
    await page.getByText('Signed in successfully').waitFor()
    await page.goto('/settings/security')
    await page.getByText('used just now').waitFor()
  })

  await t.test('with conditional UI, without a button', async () => {
    await offersByItself(page, true)
    await signOut(page)
    await page.getByText('Signed in successfully').waitFor()
    await page.waitForURL('/ana')
  })

  await t.test('not after leaving the sign-in page, which cancels the prompt', async (t) => {
    await authenticator.setPresence(false)
    const events = new EventEmitter()
    await page.exposeFunction('tell', (event: string) => events.emit(event))
    await page.addInitScript(`{
      const get = CredentialsContainer.prototype.get
      CredentialsContainer.prototype.get = function (options) {
        tell('asked')
        options.signal?.addEventListener('abort', () => tell('cancelled'))
        return get.call(this, options)
      }
    }`)
    const asked = once(events, 'asked')
    await signOut(page)
    await asked
    const cancelled = once(events, 'cancelled')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.waitForURL('/identity/password_reset/new')
    await cancelled
    await authenticator.setPresence(true)
    await page.getByLabel('Email').fill('somebody@example.com')
    t.equal(new URL(page.url()).pathname, '/identity/password_reset/new')
    await page.goto('/sign_in')
    await page.waitForURL('/ana')
  })

  await t.test('not after it was removed, which the browser hears, so that it offers it no more', async (t) => {
    await page.goto('/settings/security')
    await page.getByRole('button', { name: 'Remove Blue key' }).click()
    await confirm(page, 'Remove')
    await page.getByText('Passkey removed').waitFor()
    while ((await authenticator.credentials()) > 0) await page.waitForTimeout(50)
    await offersByItself(page, false)
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForTimeout(500)
    t.equal(await page.locator('main [role=alert]').count(), 0, 'whoever has none is told nothing')
  })
})

t.test('a prompt that was cancelled says nothing, too many tries say so', { skip }, async (t) => {
  const { open } = await sharedBrowser(t)
  const page = await open({ expects: [429] })
  await page.addInitScript(`{
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
    CredentialsContainer.prototype.get = async () => {
      window.isCancelled = true
      throw new DOMException('', 'NotAllowedError')
    }
  }`)
  await page.goto('/sign_in')
  await page.getByText('More ways').click()
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  const alert = page.locator('main [role=alert]')
  await button.click()
  await comesTrue(page, 'window.isCancelled')
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  t.equal(await alert.count(), 0)

  await page.route('**/sign_in/passkey/options', (route) => route.fulfill({ status: 429 }))
  await button.click()
  await alert.getByText('Too many tries. Wait a moment and try again.').waitFor()
})

/** Turns conditional UI on or off, from the next document on. */
const offersByItself = (page: Page, offers: boolean) =>
  page.evaluate(offers ? `sessionStorage.removeItem('quiet')` : `sessionStorage.setItem('quiet', '1')`)

async function signOut(page: Page) {
  await page.goto('/ana')
  await page.getByRole('button', { name: /^Menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** A device whose owner always confirms, unless it is told to wait. */
async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...({ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal' } as const),
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    credentials: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    setPresence: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  }
}
