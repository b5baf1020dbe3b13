import type { Locator, Page } from 'playwright-core'
import { password } from '../helpers/people.ts'

/** Common steps of browser tests. */

export async function fill(within: Page | Locator, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) await within.getByLabel(label, { exact: true }).fill(value)
}

export async function signUp(page: Page, { name = 'Ana', email = 'ana@example.com' } = {}) {
  await page.goto('/sign_up')
  await fill(page, { Name: name, Email: email, Password: password })
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await page.getByText('Welcome! You have signed up successfully').waitFor()
}

/** Opens a page and waits for its stream. What happens right before that is not shown. */
export async function openLive(page: Page, path: string) {
  await page.goto('about:blank') // so the stream of the previous page is not mistaken for the new one
  const stream = page.waitForResponse((response) => new URL(response.url()).pathname === '/live')
  await page.goto(path)
  await stream
}

/** Signs in on the current sign-in page. */
export async function enter(page: Page, { email, password: given = password }: { email: string; password?: string }) {
  await fill(page, { Email: email, Password: given })
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Confirms in the open dialog that it is the person. */
export async function confirm(page: Page, action: string, given = password) {
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await dialog.getByLabel('Current password', { exact: true }).fill(given)
  await dialog.getByRole('button', { name: action, exact: true }).click()
}

export async function signOut(page: Page) {
  await page.getByRole('button', { name: /^Menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('/sign_in')
}

/** Waits until an expression is true in the page, whose security policy forbids the driver's own way. */
export async function comesTrue(page: Page, expression: string) {
  for (const late = Date.now() + 60_000; !(await page.evaluate<boolean>(expression)); await page.waitForTimeout(25)) {
    if (Date.now() > late) throw new Error(`it does not come true: ${expression}`)
  }
}

/** Waits until something in the page is so. */
export async function until(read: () => Promise<string>, wanted: string) {
  const late = Date.now() + 60_000
  for (let found = await read(); found !== wanted; found = await read()) {
    if (Date.now() > late) throw new Error(`it is still ${found}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** Loads scripts late, and keeps what moves on the page. */
export async function watchShifts(page: Page) {
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    await route.continue()
  })
  await page.addInitScript(`globalThis.shifts = []
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries())
        shifts.push(value + ' ' + sources.map(({ node }) => node?.outerHTML?.slice(0, 80)))
    }).observe({ type: 'layout-shift', buffered: true })`)
}
