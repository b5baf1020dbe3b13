import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { createProvider } from '../../development/provider/index.ts'
import { client, serve } from '../helpers/issuer.ts'
import { environmentOf } from '../helpers/providers.ts'
import { checkAll } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { comesTrue } from './steps.ts'

/** The provider of development. It answers once it knows where to send people back. */
async function startProvider(t: Test) {
  let provider: ReturnType<typeof createProvider> | undefined
  const issuer = `${await serve(t, async (request, response) => (await provider)?.(request, response))}/dev/provider`
  const sendTo = (origin: string) => {
    provider = createProvider(issuer, { ...client, redirectUri: `${origin}/sign_in/with/oidc/callback` })
  }
  return { environment: environmentOf(issuer), sendTo }
}

async function goToProvider(page: Page, verb = 'Sign in') {
  await comesTrue(page, 'Boolean(window.isStarted)') // since the way back is no step of the test
  await page.getByRole('button', { name: `${verb} with Acme ID` }).click()
  await page.getByRole('heading', { name: 'Who do you want to be?' }).waitFor()
}

t.test('a person signs up with a provider, signs out, and signs in with it again', { skip }, async (t) => {
  const provider = await startProvider(t)
  const { origin, open } = await startBrowser(t, { SSR_ENABLED: 'true', ...provider.environment })
  provider.sendTo(origin)
  const page = await open({ expects: [409] }) // which tells the client to leave
  await page.goto('/sign_up')
  await goToProvider(page, 'Sign up')
  await page.goBack()
  await page.getByRole('button', { name: 'Sign up with Acme ID' }).waitFor()
  await goToProvider(page, 'Sign up')
  await page.getByRole('button', { name: 'Ada Abel' }).click()
  await page.getByRole('heading', { name: 'Almost there' }).waitFor()
  t.equal(await page.getByLabel('Name').inputValue(), 'Ada Abel')
  t.equal(await page.getByLabel('Email').inputValue(), 'ada@example.com')
  t.equal(await page.getByLabel('Email').isEditable(), false)
  await checkAll(t, page, 'almost there')
  await page.getByRole('button', { name: 'Create your account' }).click()
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
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('You cancelled Acme ID').first().waitFor()
  await goToProvider(page)
  await page.getByRole('button', { name: 'Ada Abel' }).click()
  await page.waitForURL('**/settings/sessions')
  await page.getByText('with Acme ID').first().waitFor()
})

t.test(
  'nothing to sign in with is below the fold of a phone, with four providers below the last one',
  { skip },
  async (t) => {
    const others = ['GOOGLE', 'GITHUB', 'GITLAB', 'MICROSOFT'].map((name) => ({
      [`${name}_CLIENT_ID`]: client.id,
      [`${name}_CLIENT_SECRET`]: client.secret,
    }))
    const links = { TERMS_URL: 'https://example.com/terms', SUPPORT_URL: 'https://example.com/help' }
    const environment = { ...Object.assign({}, ...others), ...environmentOf('http://127.0.0.1:1'), ...links }
    const { app, origin, open } = await startBrowser(t, environment)
    for (const locale of app.languages.keys()) {
      const page = await open({ viewport: { width: 390, height: 844 }, locale, hasTouch: true })
      await page.context().addCookies([{ name: 'last_method', value: 'google', url: origin }])
      await page.goto('/sign_in')
      await page.locator('.last-used').waitFor()
      t.equal(await page.locator('.ways .button').count(), 4)
      t.ok(await page.evaluate('document.documentElement.scrollHeight <= innerHeight'), locale)
    }
  },
)
