import type { Page } from 'playwright-core'
import t from 'tap'
import { identities, passkeys } from '../../drizzle/schema.ts'
import { password, signedIn, verifiedUp } from '../helpers/people.ts'
import { picture } from '../helpers/pictures.ts'
import { codeAt } from '../helpers/second-factors.ts'
import { skip, startBrowser } from './chromium.ts'

// What goes away must not take the focus with it: the keyboard would begin at the top again, and a screen reader would
// fall silent.

const { app, db, open } = await startBrowser(t)

t.test('a removed passkey leaves the focus to the next one, the last one or the heading', { skip }, async () => {
  const { browser, user } = await verifiedUp(app)
  const key = { userId: user.id, publicKey: 'key', counter: 0, syncable: true, synced: true }
  await db.insert(passkeys).values(['Phone', 'Desk', 'Bag'].map((name) => ({ ...key, name, credentialId: name })))
  const page = await open({ as: browser })
  await page.goto('/settings/security')
  await confirm(page, 'Remove Phone', 'Remove')
  await rowOf(page, 'Desk').waitFor()
  await confirm(page, 'Remove Bag', 'Remove')
  await rowOf(page, 'Desk').waitFor()
  await confirm(page, 'Remove Desk', 'Remove')
  await heading(page, 'Security').waitFor()
})

t.test('a disconnected provider leaves the focus to the next one or the heading', { skip }, async () => {
  const { browser, user } = await verifiedUp(app)
  const ones = ['google', 'github'].map((provider) => ({ provider, userId: user.id, issuer: provider, subject: 'ana' }))
  await db.insert(identities).values(ones)
  const page = await open({ as: browser })
  await page.goto('/settings/security')
  await confirm(page, 'Disconnect Google', 'Disconnect')
  await rowOf(page, 'GitHub').waitFor()
  await confirm(page, 'Disconnect GitHub', 'Disconnect')
  await heading(page, 'Security').waitFor()
})

t.test('the heading is focused after a cancelled set-up, the recovery codes and two-factor', { skip }, async () => {
  const { browser } = await verifiedUp(app)
  const page = await open({ as: browser })
  await page.goto('/settings/security')
  const beginSetup = async () => {
    await confirm(page, 'Set up', 'Continue')
    await page.locator('h2:focus').getByText('Set up your app').waitFor()
  }
  await beginSetup()
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await heading(page, 'Security').waitFor()

  await beginSetup()
  const secret = (await page.locator('.setup code').innerText()).replaceAll(' ', '')
  await page.getByLabel('Code', { exact: true }).fill(await codeAt(secret, app.now()))
  await page.locator('h2:focus').getByText('Save your recovery codes').waitFor()
  await page.getByRole('button', { name: "I've saved them" }).press('Enter')
  await heading(page, 'Security').waitFor()
  await page.getByText('10 recovery codes left').waitFor()

  await confirm(page, 'Turn off', 'Turn off')
  await heading(page, 'Security').waitFor()
})

t.test('the heading is focused after all other sessions were ended', { skip }, async () => {
  const { browser, person } = await verifiedUp(app)
  await signedIn(app, person)
  const page = await open({ as: browser })
  await page.goto('/settings/sessions')
  await confirm(page, 'End all other sessions', 'End all other sessions')
  await heading(page, 'Sessions').waitFor()
})

t.test('the heading is focused after an alert was dismissed', { skip }, async () => {
  const { browser } = await verifiedUp(app)
  const page = await open({ as: browser, expects: [503] })
  await page.goto('/settings/profile')
  await page.route('/settings/email', (route) => route.fulfill({ status: 503 }))
  await page.getByRole('link', { name: 'Email', exact: true }).press('Enter')
  const alert = page.getByRole('alert')
  await alert.getByRole('button', { name: 'Dismiss' }).press('Enter')
  await alert.waitFor({ state: 'detached' })
  await heading(page, 'Profile').waitFor()
})

t.test('a removed picture leaves the focus to the other button, but takes it from no field', { skip }, async (t) => {
  const { browser } = await verifiedUp(app)
  const page = await open({ as: browser })
  await page.goto('/settings/profile')
  const file = { name: 'photo.png', mimeType: 'image/png', buffer: await picture() }
  const choose = async () => {
    await page.getByLabel('Picture', { exact: true }).setInputFiles(file)
    await page.getByRole('button', { name: 'Save picture' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const remove = page.getByRole('button', { name: 'Remove picture' })
  await choose()
  await remove.press('Enter')
  await page.getByRole('button', { name: 'Choose a picture' }).and(page.locator(':focus')).waitFor()

  await choose()
  const { promise: typing, resolve: typed } = Promise.withResolvers<void>()
  await page.route('/settings/picture', (route) => typing.then(() => route.fallback()))
  await remove.press('Enter')
  await page.getByLabel('Name', { exact: true }).focus()
  typed()
  await remove.waitFor({ state: 'detached' })
  await page.evaluate('new Promise((shown) => setTimeout(() => requestAnimationFrame(shown)))')
  t.equal(await page.evaluate('document.activeElement.name'), 'name')
})

/** Presses a button, and confirms with the password in the dialog that it opens. */
async function confirm(page: Page, button: string, action: string) {
  await page.getByRole('button', { name: button }).press('Enter')
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Current password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: action }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
}

// With the focus.
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).and(page.locator(':focus'))
const rowOf = (page: Page, name: string) => page.locator('li:focus', { hasText: name })
