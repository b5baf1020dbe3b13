import type { Locator, Page } from 'playwright-core'
import { password } from '../helpers/people.ts'

/** Common steps of browser tests. */

export async function fill(within: Page | Locator, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) await within.getByLabel(label, { exact: true }).fill(value)
}

/** Signs in on the current sign-in page. */
export async function enter(page: Page, { email }: { email: string }) {
  await fill(page, { Email: email, Password: password })
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Opens the home page of a signed-in person. */
export async function atHome(page: Page) {
  await page.goto('/')
  await page.getByRole('button', { name: /^Menu of/ }).waitFor()
  return page
}

export async function signOut(page: Page) {
  await page.getByRole('button', { name: /^Menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('/sign_in')
}
