import type { Page } from 'playwright-core'
import t from 'tap'
import { checkAll } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { signUp } from './steps.ts'

const { open } = await startBrowser(t)

t.test('a flash is shown once, even after two redirects, and never again', { skip }, async (t) => {
  const page = await open()
  await signUp(page)
  const toasts = page.locator('.toast')
  t.same(await toasts.allInnerTexts(), ['Welcome! You have signed up successfully.'])
  await membersCount(page).waitFor() // the deferred props have loaded
  t.equal(await toasts.count(), 1)
  await checkAll(t, page, 'a toast')
  const before = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  const room = "innerHeight - document.querySelector('main > :last-child').getBoundingClientRect().bottom"
  t.ok(
    (await page.evaluate<number>(room)) >= 86,
    'a message of two lines covers nothing that a page on a phone ends with',
  )
  if (before) await page.setViewportSize(before)

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

const membersCount = (page: Page) => page.getByRole('link', { name: '1 member' })
