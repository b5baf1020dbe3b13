import type { Page } from 'playwright-core'
import { password } from '../world/populate.ts'

// What is done on a page before its picture is taken.

export const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

/** Presses what opens a menu or a dialog. */
export const open = (name: string | RegExp) => async (page: Page) => {
  await press(name)(page)
  await page.locator('[role=menu], .dialog').first().waitFor()
}

export async function refusedSignIn(page: Page) {
  await signIn(page, 'ana@example.com', 'wrong horse battery')
  await page.getByRole('alert').waitFor()
}

export async function halfASignIn(page: Page) {
  await signIn(page, 'ben@example.com', password)
  await page.waitForURL('/sign_in/verify')
}

export async function recover(page: Page) {
  await halfASignIn(page)
  await press('Use a recovery code')(page)
}

export async function loseSession(page: Page) {
  await page.context().clearCookies({ name: 'session_token' })
  await page.getByRole('link', { name: 'Email', exact: true }).click()
  await page.waitForURL('/sign_in')
}

async function signIn(page: Page, email: string, secret: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export async function forgetPassword(page: Page) {
  await page.getByLabel('Email').fill('ana@example.com')
  await page.getByRole('button', { name: 'Send reset instructions' }).click()
  await page.waitForURL('/sign_in')
}

export async function inviteBadly(page: Page) {
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Emails').fill('ben@example.com, nobody, cleo@example.com')
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await page.getByText('This address already belongs to a member').waitFor()
}

export async function emptyName(page: Page) {
  await page.getByLabel('Name', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Save' }).click()
}

export async function setUp(page: Page) {
  await press('Set up')(page)
  await page.getByLabel('Current password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
}

export async function renewCodes(page: Page) {
  await press('Create new codes')(page)
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Current password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Create new codes' }).click()
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
}

export async function wrongCode(page: Page) {
  await halfASignIn(page)
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByText('That code is wrong').waitFor()
}

export async function resetBadly(page: Page) {
  await page.getByLabel('Password', { exact: true }).fill('too short')
  await page.getByLabel('Password confirmation').fill('another one')
  await press('Reset password')(page)
  await page.getByText('The two passwords are different').waitFor()
}

const roleOfFay = (page: Page) =>
  page
    .getByRole('listitem')
    .filter({ hasText: 'Fay Lin' })
    .getByRole('button', { name: /^Role of/ })

export async function changeRole(page: Page) {
  await roleOfFay(page).click()
  await page.getByRole('menuitemradio', { checked: false }).first().click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
}

export async function exportBadly(page: Page) {
  await page.getByLabel('Current password').first().fill('wrong horse battery')
  await press('Download your data')(page)
  await page.getByText('That is not your current password').waitFor()
}

export async function saveOffline(page: Page) {
  await page.context().setOffline(true)
  await press('Save')(page)
  await page.getByRole('alert').waitFor()
}

export async function changeEmailBadly(page: Page) {
  await page.getByLabel('Email').fill('nobody')
  await page.getByLabel('Current password').fill('wrong horse battery')
  await press('Change email')(page)
  await page.getByText('That is not your current password').waitFor()
}

export async function changePasswordBadly(page: Page) {
  await page.getByLabel('Current password').fill('wrong horse battery')
  await page.getByLabel('New password', { exact: true }).fill('too short')
  await page.getByLabel('Password confirmation').fill('another one')
  await press('Change password')(page)
  await page.getByText('That is not your current password').waitFor()
}

export async function setUpBadly(page: Page) {
  await press('Set up')(page)
  await page.getByLabel('Current password', { exact: true }).fill('wrong horse battery')
  await press('Continue')(page)
  await page.getByText('That is not your current password').waitFor()
}

/** A passkey whose answer is wrong. */
export async function deleteWithBadPasskey(page: Page) {
  await page.evaluate(`CredentialsContainer.prototype.get = async () => ({
    id: 'AA',
    rawId: new ArrayBuffer(1),
    type: 'public-key',
    response: {
      clientDataJSON: new ArrayBuffer(1),
      authenticatorData: new ArrayBuffer(1),
      signature: new ArrayBuffer(1),
    },
    getClientExtensionResults: () => ({}),
  })`)
  await open('Delete your account')(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Use a passkey instead' }).click()
  await page.getByText('That passkey did not work').waitFor()
}

export const toTheEnd = (page: Page) => page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')

export async function transfer(page: Page) {
  await roleOfFay(page).click()
  await page.getByRole('menuitem', { name: 'Transfer ownership…' }).click()
  await page.getByRole('alertdialog').waitFor()
}

export async function askToRequire(page: Page) {
  await open('Require it')(page)
  await page.getByRole('alertdialog').getByRole('listitem').first().waitFor()
}

export async function requireIt(page: Page) {
  await open('Require it')(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Require it' }).click()
  await page.getByRole('alert').waitFor()
}

export async function leaveCodes(page: Page) {
  await renewCodes(page)
  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  await page.getByRole('alertdialog').waitFor()
}

export async function deleteOffline(page: Page) {
  await open('Delete your account')(page)
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Current password', { exact: true }).fill(password)
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'Delete your account' }).click()
  await dialog.getByRole('alert').waitFor()
}
