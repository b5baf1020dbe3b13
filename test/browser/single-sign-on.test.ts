import type { Page } from 'playwright-core'
import t from 'tap'
import { createProvider } from '../../development/provider/index.ts'
import { people } from '../../development/single-sign-on/stand-in.ts'
import { sessions } from '../../drizzle/schema.ts'
import { startDns } from '../helpers/dns.ts'
import { client, serve } from '../helpers/issuer.ts'
import { password, verifiedUp } from '../helpers/people.ts'
import { checkAll } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { comesTrue, confirm, enter, fill } from './steps.ts'

t.test('an owner connects a provider and requires it, and colleagues get in by it', { skip }, async (t) => {
  const dns = await startDns(t)
  let provider: ReturnType<typeof createProvider> | undefined
  const issuer = `${await serve(t, async (request, response) => (await provider)?.(request, response))}/acme`
  const settings = { SSO_PRIVATE_ISSUERS: 'allow', DNS_SERVERS: dns.server }
  const { app, origin, clock, open } = await startBrowser(t, settings)
  provider = createProvider(issuer, { ...client, redirectUri: `${origin}/sign_in/sso/acme/callback` }, people)

  /** Presses the button that leads to the provider, and comes back as this person. */
  async function pass(page: Page, name: string, button = 'Continue with single sign-on') {
    await comesTrue(page, 'Boolean(window.isStarted)')
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('button', { name }).click()
  }

  const olga = await verifiedUp(app, { name: 'Olga', email: 'olga@acme.test' })
  await olga.browser.submit('POST', '/accounts', { name: 'Acme' })
  const permissions = ['clipboard-read', 'clipboard-write']
  const page = await open({ as: olga.browser, expects: [409], viewport: { width: 390, height: 844 }, permissions })
  await page.clock.install()
  await page.goto('/acme/settings')
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Single sign-on' }).click()
  await page.getByRole('heading', { name: 'Step 1 of 3: show that acme.test is yours' }).waitFor()
  const domain = page.getByLabel('Domain', { exact: true })
  t.equal(await domain.inputValue(), 'acme.test', 'that of the own address')
  await domain.clear()
  await domain.pressSequentially('ada@acme.test')
  await domain.press('ControlOrMeta+A')
  await domain.press('ControlOrMeta+X')
  await domain.press('ControlOrMeta+V')
  t.equal(await domain.inputValue(), 'acme.test', 'pasted')
  await domain.clear()
  await domain.pressSequentially('https://acme.test/x')
  await domain.press('Enter')
  await page.getByRole('heading', { name: 'acme.test', exact: true }).and(page.locator(':focus')).waitFor()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('No record is there yet.').waitFor()
  t.equal(await page.getByText("The record isn't there yet").count(), 0, 'the row says it, so nothing moves')
  await page.getByRole('row', { name: 'Value' }).getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const value = await page.getByText(/^accounts-domain=/).innerText()
  dns.answers.set('_accounts.acme.test', { texts: [['accounts-domain=old']] })
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Another value is there: accounts-domain=old').waitFor()
  await checkAll(t, page, 'a record with another value')
  t.equal(await page.getByRole('alert').count(), 0, 'and nothing says that there is none')
  dns.answers.set('_accounts.acme.test', { texts: [[value]] })
  await page.clock.runFor(30_000)
  await page.getByText('Keep the record.').waitFor()
  await fill(page, { 'Another domain': 'other.test' })
  await page.getByRole('button', { name: 'Add domain' }).click()
  await page.getByText('other.test was added.').waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'other.test' }).waitFor() // a record that waits is in sight
  await comesTrue(page, 'Boolean(window.isStarted)')

  await page.getByRole('button', { name: 'Make a setup link' }).click()
  await confirm(page, 'Make a setup link')
  const link = page.getByRole('heading', { name: 'Your setup link' })
  await link.and(page.locator(':focus')).waitFor()
  await comesTrue(page, 'document.activeElement.getBoundingClientRect().bottom < innerHeight && scrollY > 0')
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await link.waitFor({ state: 'detached' })

  await page.getByLabel('Your provider').selectOption('Another one')
  await fill(page, {
    Issuer: `${issuer}/.well-known/openid-configuration`,
    'Client ID': client.id,
    'Client secret': client.secret,
  })
  await fill(page, { 'Current password': password })
  await page.getByRole('button', { name: 'Save provider' }).click()
  await page.getByText("You haven't signed in with it yet.").waitFor()
  await checkAll(t, page, 'a provider is connected')
  await page.getByRole('button', { name: 'Require single sign-on' }).click()
  await page.getByText('Nobody has signed in with it yet.').waitFor()
  const opened = page.waitForEvent('popup')
  await page.getByRole('dialog').getByRole('link', { name: 'Sign in with it first' }).click()
  const popup = await opened
  await pass(popup, 'Olga Owner')
  await popup.getByRole('heading', { name: 'Hello Olga, this works' }).waitFor()
  await checkAll(t, popup, 'the window that came back')
  await popup.close()
  await page.getByText('You signed in with it: it works.').waitFor()
  await page.getByText('Everybody has signed in with it.').waitFor()
  await checkAll(t, page, 'before it is required')
  await page.getByRole('dialog').getByRole('button', { name: 'Require single sign-on' }).click()
  await page.getByText('Owners also get in with two factors').waitFor()

  // A heartbeat is refused once their last sign-in with the provider is too old, or they were removed.
  const withHeartbeat = { expects: [409, 404] }
  const nora = await open(withHeartbeat)
  await nora.goto('/sign_in')
  await nora.getByText('More ways').click()
  await nora.getByRole('link', { name: 'Sign in with your company' }).click()
  await fill(nora, { Email: 'nora@elsewhere.test' })
  await nora.getByRole('button', { name: 'Continue' }).click()
  await nora.getByText('No company here uses elsewhere.test.').waitFor()
  await fill(nora, { Email: 'nora@acme.test' })
  await pass(nora, 'Nora New', 'Continue')
  await nora.waitForURL('**/acme')
  await nora.getByText('Welcome to Acme.').waitFor()
  await nora.goto('/settings/security')
  await nora.getByText('Email verified').waitFor()
  t.equal(await nora.getByText('No second factor').count(), 0, 'without a password, none is missing')

  const otto = await verifiedUp(app, { name: 'Otto', email: 'otto@acme.test' })
  const old = await open(withHeartbeat)
  await old.goto('/sign_in/sso/acme')
  await checkAll(t, old, 'the way to the provider')
  await pass(old, 'Otto Old')
  await old.getByText('Sign in as otto@acme.test once to connect it').first().waitFor()
  await enter(old, otto.person)
  await pass(old, 'Otto Old')
  await old.waitForURL('**/acme')
  await old.goto('/settings/security')
  await old.getByRole('heading', { name: 'Single sign-on' }).waitFor()

  clock.forward({ hours: 25 })
  await old.goto('/acme/members')
  await old.getByText('asks you to sign in with its provider').waitFor()
  await pass(old, 'Otto Old')
  await old.waitForURL('**/acme/members')

  await page.goto('/acme/members')
  await pass(page, 'Olga Owner')
  await page.waitForURL('**/acme/members')
  await page.getByRole('button', { name: /Nora New/ }).click()
  await page.getByRole('menuitem', { name: /Remove/ }).click()
  await page
    .getByRole('button', { name: /Remove/ })
    .last()
    .click()
  await page.getByText('Nora New').first().waitFor({ state: 'detached' })
  const again = await open({ expects: [409, 404] })
  await again.goto('/sign_in/sso/acme')
  await pass(again, 'Nora New')
  await again.waitForURL('**/nora-new')
  await again.goto('/acme')
  await again.getByText('404').first().waitFor()

  await page.getByRole('link', { name: 'Single sign-on', exact: true }).click()
  await fill(page, { 'Another domain': 'late.test' })
  await app.db.delete(sessions)
  await page.getByRole('button', { name: 'Add domain' }).click()
  await page.waitForURL('**/sign_in')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  t.equal(await page.getByText("We can't reach the server").count(), 0)
})
