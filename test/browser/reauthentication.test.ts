import { EventEmitter, once } from 'node:events'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { passkeys, users } from '../../drizzle/schema.ts'
import { password, signedUp, verifiedUp } from '../helpers/people.ts'
import { addAuthenticator } from './authenticator.ts'
import { violations, violationsIn } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { fill } from './steps.ts'

const instead = (page: Page) => page.getByRole('button', { name: 'Use a passkey instead' })

for (const ssr of ['false', 'true']) {
  t.test(`a passkey in place of the password, with SSR_ENABLED=${ssr}`, { skip }, async (t) => {
    const { page, authenticator, app } = await withPasskey(t, { SSR_ENABLED: ssr })
    const isHere = async () =>
      (await app.db.select().from(users).where(eq(users.email, 'ana@example.com'))).length === 1

    await t.test('changes the email, after everything else was filled in', async (t) => {
      await page.goto('/settings/email')
      await page.getByLabel('Email').fill('')
      await instead(page).focus()
      await page.keyboard.press('Enter')
      await page.getByText('Your device will ask for your passkey').waitFor()
      t.equal(await page.getByLabel('Current password', { exact: true }).count(), 0)
      t.equal(await focused(page), 'Use your password instead', 'the focus stays')
      t.same(await violationsIn(page), [], 'chosen')
      await page.getByRole('button', { name: 'Change email' }).click()
      await page.getByText('Email is missing').waitFor()
      await page.getByLabel('Email').fill('new@example.com')
      await page.getByRole('button', { name: 'Change email' }).click()
      await page.locator('strong', { hasText: 'new@example.com' }).waitFor()
      t.notOk(await isHere())

      await instead(page).waitFor()
      await page.getByLabel('Email').fill('ana@example.com')
      await page.getByLabel('Current password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Change email' }).click()
      await page.locator('strong', { hasText: 'ana@example.com' }).waitFor()
      t.ok(await isHere(), 'the password is as good as before')
    })

    await t.test('adds another passkey, with the device that has one saying so', async () => {
      await app.db.update(users).set({ verified: true }) // passkeys need a verified address, and it has changed
      await page.goto('/settings/security')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await instead(page).click()
      await page.getByText('You already have a passkey on this device').waitFor()
    })

    await t.test('deletes the profile, unless the person cancels', async (t) => {
      await page.goto('/settings/profile')
      await page.getByRole('button', { name: 'Delete your account' }).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByLabel('Current password', { exact: true }).fill('wrong')
      await dialog.getByRole('button', { name: 'Delete your account' }).click()
      await dialog.getByText('That is not your current password').waitFor()
      t.same(await violationsIn(page), [], 'after a wrong password')

      await authenticator.refuse(true)
      await dialog.getByRole('button', { name: 'Use a passkey instead' }).click()
      await dialog.getByText('Your device will ask for your passkey').waitFor()
      await page.waitForLoadState('networkidle')
      t.equal(await dialog.getByRole('alert').count(), 0, 'cancelling is no error')
      t.ok(await isHere())
      t.same(await violationsIn(page), [], 'cancelled')

      await authenticator.refuse(false)
      await dialog.getByRole('button', { name: 'Use your password instead' }).click()
      t.equal(await dialog.getByText('That is not your current password').count(), 0)
      await dialog.getByRole('button', { name: 'Use a passkey instead' }).click()
      await page.waitForURL('/')
      await page.getByText('Your account has been deleted').waitFor()
      t.notOk(await isHere())
    })
  })
}

t.test('a passkey that does not work is named in its place', { skip }, async (t) => {
  const { page, app } = await withPasskey(t)
  await page.goto('/settings/profile')
  await app.db.delete(passkeys)
  await page.getByRole('button', { name: 'Delete your account' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Use a passkey instead' }).click()
  const alert = dialog.getByRole('alert')
  await alert.getByText('That passkey did not work. Try again, or use your password').waitFor()
  t.match(await focused(page), 'That passkey did not work', 'and has the focus')
  t.same(await violationsIn(page), [], 'refused')
  await page.setViewportSize({ width: 360, height: 740 })
  t.same(await violations(page), [], 'on a phone')
  await dialog.getByRole('button', { name: 'Use your password instead' }).click()
  await dialog.getByLabel('Current password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Delete your account' }).click()
  await page.waitForURL('/')
})

t.test('a passkey that cannot be asked for is named in its place, too', { skip }, async (t) => {
  const { page } = await withPasskey(t, {}, 503)
  await page.goto('/settings/profile')
  await page.route('**/settings/passkey_challenge', (route) => route.fulfill({ status: 503 }))
  const form = page.locator('form').filter({ hasText: 'Download your data' })
  await form.getByRole('button', { name: 'Use a passkey instead' }).click()
  await form.getByRole('alert').getByText("We couldn't ask for your passkey").waitFor()
  await page.unroute('**/settings/passkey_challenge')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    form.getByRole('button', { name: 'Download your data' }).click(),
  ])
  t.equal(download.suggestedFilename(), 'accounts-export.json')
})

t.test('closing a dialog cancels its passkey prompt', { skip }, async (t) => {
  const { page, authenticator } = await withPasskey(t)
  await authenticator.present(false)
  const events = new EventEmitter()
  await page.exposeFunction('tell', (event: string) => events.emit(event))
  await page.addInitScript(`{
    const get = CredentialsContainer.prototype.get
    CredentialsContainer.prototype.get = function (options) {
      tell('asked')
      options.signal.addEventListener('abort', () => tell('cancelled'))
      return get.call(this, options)
    }
  }`)
  await page.goto('/settings/profile')
  await page.getByRole('button', { name: 'Delete your account' }).click()
  const dialog = page.getByRole('alertdialog')
  const asked = once(events, 'asked')
  await dialog.getByRole('button', { name: 'Use a passkey instead' }).click()
  await asked
  const cancelled = once(events, 'cancelled')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await cancelled
  t.equal(await page.getByRole('alert').count(), 0)
})

t.test('nothing is offered without a passkey, or without WebAuthn', { skip }, async (t) => {
  const { app, open } = await startBrowser(t)
  const { browser } = await signedUp(app, { name: 'Ana', email: 'ana@example.com' })
  const page = await open({ as: browser })
  await page.goto('/settings/email')
  await page.getByLabel('Current password', { exact: true }).waitFor()
  t.equal(await instead(page).count(), 0)

  const { page: able } = await withPasskey(t)
  await able.addInitScript('delete window.PublicKeyCredential')
  await able.goto('/settings/email')
  await able.getByLabel('Current password', { exact: true }).waitFor()
  t.equal(await instead(able).count(), 0)
})

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')

/** A person whose device has a passkey. */
async function withPasskey(t: Test, environment: Record<string, string> = {}, ...expects: number[]) {
  const { app, open } = await startBrowser(t, environment)
  const { browser } = await verifiedUp(app, { name: 'Ana', email: 'ana@example.com' })
  const page = await open({ as: browser, expects })
  const authenticator = await addAuthenticator(page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await fill(page, { 'Current password': password })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Passkey added').waitFor()
  return { app, page, authenticator }
}
