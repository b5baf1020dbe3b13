import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { password, verifiedUp } from '../helpers/people.ts'
import { startProvider } from '../helpers/real-provider.ts'
import { skip, startBrowser } from './chromium.ts'
import { enter } from './steps.ts'

async function start(t: Test, environment: Record<string, string> = {}) {
  const provider = await startProvider(t)
  const started = await startBrowser(t, { SSR_ENABLED: 'true', ...provider.environment, ...environment })
  provider.serve(started.origin)
  return { ...started, provider }
}

const leaving = { expects: [409] } // which tells the client to leave

async function goToProvider(page: Page, verb = 'Sign in') {
  await page.getByRole('button', { name: `${verb} with Acme ID` }).click()
  await page.getByRole('heading', { name: 'Who do you want to be?' }).waitFor()
}

const be = (page: Page, name: string) => page.getByRole('button', { name }).click()

t.test('a person signs up with a provider, signs out, and signs in with it again', { skip }, async (t) => {
  const { open } = await start(t)
  const page = await open(leaving)
  await page.goto('/sign_up')
  await goToProvider(page, 'Sign up')
  await be(page, 'Ada Abel')
  await page.getByRole('heading', { name: 'Almost there' }).waitFor()
  t.equal(await page.getByLabel('Name').inputValue(), 'Ada Abel')
  t.equal(await page.getByLabel('Email').inputValue(), 'ada@example.com')
  t.equal(await page.getByLabel('Email').isEditable(), false)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL('**/ada-abel')

  await page.goto('/settings/password')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('We sent you a link to set a password').waitFor()

  await page.goto('/settings/security')
  await page.getByRole('heading', { name: 'Connected accounts' }).waitFor()
  await page.getByRole('button', { name: 'Disconnect Acme ID' }).click()
  await page.getByText('you just signed in').waitFor()
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByText('Set a password or add a passkey first').first().waitFor()
  await page.keyboard.press('Escape')

  await page.context().clearCookies()
  await page.goto('/settings/sessions')
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).waitFor()
  await goToProvider(page)
  await be(page, 'Ada Abel')
  await page.waitForURL('**/settings/sessions')
  await page.getByText('with Acme ID').first().waitFor()
})

t.test('cancelling and an unreachable provider are reported, and the form still works', { skip }, async (t) => {
  const { open, provider, app } = await start(t)
  const { person } = await verifiedUp(app)
  const page = await open(leaving)
  await page.goto('/sign_in')
  await goToProvider(page)
  await be(page, 'Cancel')
  await page.getByText('You cancelled Acme ID').first().waitFor()

  await goToProvider(page)
  await page.goBack()
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).waitFor()
  await goToProvider(page)
  provider.goDown()
  await be(page, 'Ada Abel')
  await page.getByText("Acme ID can't be reached").first().waitFor()
  await enter(page, { email: person.email, password })
  await page.waitForURL((url) => !url.pathname.startsWith('/sign_in'))
})
