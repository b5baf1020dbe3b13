import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { identities, invitations, users } from '../../drizzle/schema.ts'
import { createAccount } from '../../features/accounts/accounts.ts'
import { tokenOf } from '../helpers/accounts.ts'
import { password, verifiedUp } from '../helpers/people.ts'
import { startProvider } from '../helpers/real-provider.ts'
import { codeAt, withSecondFactor } from '../helpers/second-factors.ts'
import { skip, startBrowser } from './chromium.ts'
import { enter } from './steps.ts'

const shots = process.env.SHOTS // a folder for pictures of what this file sees

async function start(t: Test, environment: Record<string, string> = {}) {
  const provider = await startProvider(t)
  const started = await startBrowser(t, { SSR_ENABLED: 'true', ...provider.environment, ...environment })
  provider.serve(started.origin)
  return { ...started, provider }
}

const leaving = { expects: [409] } // which tells the client to leave

const picture = async (page: Page, name: string) => {
  for (const colorScheme of shots ? (['light', 'dark'] as const) : []) {
    await page.emulateMedia({ colorScheme })
    await page.waitForTimeout(400)
    await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png` })
  }
}

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
  await picture(page, 'almost-there')
  t.equal(await page.getByLabel('Name').inputValue(), 'Ada Abel')
  t.equal(await page.getByLabel('Email').inputValue(), 'ada@example.com')
  t.equal(await page.getByLabel('Email').isEditable(), false)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL('**/ada-abel')

  await page.goto('/settings/password')
  await picture(page, 'first-password')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('We sent you a link to set a password').waitFor()

  await page.goto('/settings/security')
  await page.getByRole('heading', { name: 'Connected accounts' }).waitFor()
  await page.getByRole('button', { name: 'Disconnect Acme ID' }).click()
  await page.getByText('you just signed in').waitFor()
  await picture(page, 'disconnect')
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByText('Set a password or add a passkey first').first().waitFor()
  await page.keyboard.press('Escape')
  await picture(page, 'security')

  await page.context().clearCookies()
  await page.goto('/settings/sessions')
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).waitFor()
  await picture(page, 'sign-in')
  await goToProvider(page)
  await be(page, 'Ada Abel')
  await page.waitForURL('**/settings/sessions')
  await page.getByText('with Acme ID').first().waitFor()
})

t.test('who cancels, or finds the provider down, is told so and can still use the form', { skip }, async (t) => {
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
  await picture(page, 'out-of-reach')
  await enter(page, { email: person.email, password })
  await page.waitForURL((url) => !url.pathname.startsWith('/sign_in'))
})

t.test('who has an account with that address signs in, and connects the provider in one step', { skip }, async (t) => {
  const { open, app } = await start(t)
  await verifiedUp(app, { name: 'Ada', email: 'ada@example.com' })
  const page = await open(leaving)
  await page.goto('/sign_in')
  await goToProvider(page)
  await be(page, 'Ada Abel')
  await page.getByRole('heading', { name: 'You already have an account' }).waitFor()
  await picture(page, 'known-here')
  await page.getByRole('link', { name: 'Sign in' }).click()
  t.equal(await page.getByLabel('Email').inputValue(), 'ada@example.com')
  await enter(page, { email: 'ada@example.com', password })
  await page.waitForURL('**/settings/security')
  await picture(page, 'connectable')
  await page.getByRole('button', { name: 'Connect Acme ID' }).click()
  await page.getByText('Acme ID is connected').first().waitFor()
})

t.test('two tabs begin at once, and each comes back', { skip }, async (t) => {
  const { open } = await start(t)
  const one = await open(leaving)
  const two = await one.context().newPage()
  for (const page of [one, two]) {
    await page.goto('/sign_in')
    await goToProvider(page)
  }
  for (const page of [one, two]) {
    await be(page, 'Bo Berg')
    await page.getByRole('heading', { name: 'Almost there' }).waitFor()
  }
})

t.test('a provider is connected and disconnected with the password', { skip }, async (t) => {
  const { open, app } = await start(t)
  const { browser } = await verifiedUp(app)
  const page = await open({ ...leaving, as: browser })
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Connect Acme ID' }).click()
  await page.getByRole('alertdialog').getByLabel('Current password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await be(page, 'Bo Berg')
  await page.getByText('Acme ID is connected').first().waitFor()
  await page.getByRole('button', { name: 'Disconnect Acme ID' }).click()
  await page.getByRole('alertdialog').getByLabel('Current password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByText('Acme ID is disconnected').first().waitFor()
  t.equal(await app.db.$count(identities), 0)
})

t.test('the second factor is asked for after the provider', { skip }, async (t) => {
  const { open, app, clock, provider } = await start(t)
  const { user, secret } = await withSecondFactor({ app, clock })
  const subject = { issuer: provider.environment.OIDC_ISSUER, subject: 'ada' }
  await app.db.insert(identities).values({ userId: user.id, provider: 'oidc', ...subject })
  const page = await open(leaving)
  await page.goto('/settings/sessions')
  await goToProvider(page)
  await be(page, 'Ada Abel')
  await page.waitForURL('**/sign_in/verify')
  await page.getByLabel('Code', { exact: true }).fill(await codeAt(secret, clock.now()))
  await page.waitForURL('**/settings/sessions')
})

t.test('an invitation is joined through the provider, where sign-up is by invitation only', { skip }, async (t) => {
  const { open, app } = await start(t, { SIGN_UP: 'invitation_only' })
  const link = await inviteTo(app, 'ada@example.com')
  const page = await open(leaving)
  await page.goto('/sign_in')
  await goToProvider(page)
  await be(page, 'Ada Abel')
  await page.getByText('is invitation only').first().waitFor()

  await page.goto(link)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await goToProvider(page, 'Sign up')
  await be(page, 'Ada Abel')
  await page.getByText('Join Acme').waitFor()
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL('**/acme')
})

/** Someone at Acme invites this address. Returns the path of the link. */
async function inviteTo(app: FastifyInstance, email: string) {
  const [ada] = await app.db.insert(users).values({ name: 'Olga', email: 'olga@example.com' }).returning()
  const acme = await app.db.transaction((tx) => createAccount(tx, 'Acme', ada?.id ?? 0))
  const expiresAt = new Date(Date.now() + 86_400_000)
  const values = { accountId: acme.id, email, role: 'member' as const, expiresAt }
  const [invited] = await app.db.insert(invitations).values(values).returning()
  return `/invitations/${await tokenOf(app, invited?.id ?? 0)}`
}
