import type { Page } from 'playwright-core'
import t from 'tap'
import { signedUp } from '../helpers/people.ts'
import { checkAll } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { signUp } from './steps.ts'

const name = 'Ana García'
const { app, open } = await startBrowser(t)

t.test('a flash is shown once, even after two redirects, and never again', { skip }, async (t) => {
  const page = await open()
  await signUp(page, { name })
  const toasts = page.locator('.toast')
  t.same(await toasts.allInnerTexts(), ['Welcome! You have signed up successfully.'])
  await membersCount(page).waitFor() // the deferred props have loaded
  t.equal(await toasts.count(), 1)
  await checkAll(t, page, 'a toast')

  await page.goto('/sign_in') // redirects to / and from there to the account
  await page.getByText('You are already signed in').waitFor()
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await toasts.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: /^Menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('navigation', { name: 'Settings' }).waitFor()
  await page.goBack()
  await membersCount(page).waitFor()
  t.equal(await toasts.count(), 0, 'going back repeats nothing')

  await page.goto('/settings/profile')
  for (const _ of ['once', 'twice']) {
    const sent = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: 'Send it again' }).click()
    await sent
    await page.evaluate('new Promise((shown) => setTimeout(() => requestAnimationFrame(shown)))')
    await toasts.first().waitFor()
  }
  t.equal(await toasts.count(), 1, 'one for each text')
})

t.test('a menu works by keyboard alone and returns the focus', { skip }, async (t) => {
  const { browser } = await signedUp(app, { name })
  const page = await open({ as: browser })
  await page.goto('/')
  await page.getByRole('button', { name: /^Workspace:/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('button:focus', { hasText: `Workspace: ${name}` }).waitFor()
  t.equal(await page.getByRole('menu').count(), 0)

  await page.keyboard.press('Enter')
  const focused = page.locator('[role=menuitem]:focus')
  await focused.waitFor()
  await page.keyboard.press('End')
  await focused.filter({ hasText: 'New workspace' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('/accounts/new')
})

const membersCount = (page: Page) => page.getByRole('link', { name: '1 member' })
