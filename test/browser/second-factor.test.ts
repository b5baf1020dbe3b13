import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import t from 'tap'
import { accounts, memberships, sessions, users } from '../../drizzle/schema.ts'
import { verifiedUp } from '../helpers/people.ts'
import { codeAt, typed } from '../helpers/second-factor.ts'
import { checkAll } from './axe.ts'
import { sharedBrowser, skip } from './chromium.ts'
import { confirm, enter, openLive } from './steps.ts'

const email = 'ana@example.com'

t.test('a person sets up an app, keeps the codes and signs in', { skip }, async (t) => {
  const { app, open, clock } = await sharedBrowser(t, { SSR_ENABLED: 'true', SUPPORT_EMAIL: 'help@example.com' })
  const { browser } = await verifiedUp(app, { name: 'Ana', email })
  const page = await open({ as: browser, permissions: ['clipboard-read', 'clipboard-write'] })
  const press = (name: string) => page.getByRole('button', { name }).click()
  await page.goto('/settings/security')
  await page.getByText('A stolen password is enough to sign in as you').waitFor()
  await press('Set up')
  await confirm(page, 'Set up', 'wrong')
  await page.getByText('That is not your current password').waitFor()
  await checkAll(t, page, 'asked for the password')
  await confirm(page, 'Set up')
  const { secret, code } = await shownSetup(page)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  t.ok(await page.evaluate(`document.querySelector('.setup-picture').naturalWidth > 0`), 'the picture is drawn')
  await checkAll(t, page, 'being set up')

  const right = await codeAt(secret, clock.now())
  await code.pressSequentially(right === '123456' ? '654321' : '123456')
  await page.getByText('That code is wrong').waitFor()
  let sent = 0
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent++
  })
  await code.press('End')
  await code.press('Space')
  await page.getByText('That code is wrong').waitFor({ state: 'detached' })
  t.equal(sent, 0, 'a blank is no other code')
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  await code.fill(right) // submits by itself
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
  await checkAll(t, page, 'recovery codes')

  const shown = (await page.locator('.recovery-codes li').allInnerTexts()).map((line) => line.trim())
  t.equal(shown.length, 10)
  await press('Copy')
  await page.getByText('Your recovery codes are copied').waitFor()
  t.equal(await page.locator('.toast').count(), 0, 'nothing covers what is shown once')
  t.equal(await page.evaluate('navigator.clipboard.readText()'), shown.join('\n'))
  const [download] = await Promise.all([page.waitForEvent('download'), press('Download')])
  t.equal(download.suggestedFilename(), 'recovery-codes.txt')
  await page.emulateMedia({ media: 'print' })
  t.equal(await page.getByRole('navigation', { name: 'Settings' }).isVisible(), false)
  t.equal(await page.locator('.recovery-codes').isVisible(), true)
  await page.emulateMedia({ media: 'screen' })
  t.notOk(String(await page.evaluate('JSON.stringify(history.state)')).includes(secret))
  await press("I've saved them")
  await page.getByText('10 recovery codes left').waitFor()
  await page.getByText('Nothing is missing').waitFor()
  await page.reload()
  await page.getByText('10 recovery codes left').waitFor()
  t.equal(await page.locator('.recovery-codes').count(), 0, 'they are shown once')

  const other = await open()
  await other.goto('/sign_in')
  await enter(other, { email })
  await other.waitForURL('/sign_in/verify')
  const field = other.getByLabel('Code', { exact: true })
  t.equal(await field.getAttribute('autocomplete'), 'one-time-code')
  t.equal(await field.getAttribute('inputmode'), 'numeric')
  await field.fill('000000')
  await other.getByText('That code is wrong').waitFor()
  clock.forward({ seconds: 30 })
  const digits = await codeAt(secret, clock.now())
  await other.keyboard.insertText(typed(digits)) // as if it were pasted
  await other.waitForURL('/ana')

  const third = await open()
  await third.goto('/sign_in')
  await enter(third, { email })
  await third.getByRole('button', { name: 'Use a recovery code' }).click()
  await third.getByLabel('Recovery code').fill(shown[0] ?? '')
  await checkAll(t, third, 'a recovery code')
  const helped = third.locator('p', { hasText: 'Lost both?' }).getByRole('link')
  t.equal(await helped.getAttribute('href'), 'mailto:help@example.com')
  await third.getByRole('button', { name: 'Sign in', exact: true }).click()
  await third.waitForURL('/ana')

  await page.reload()
  await page.getByText('9 recovery codes left').waitFor()
  await press('Create new codes')
  await confirm(page, 'Create new codes')
  await press("I've saved them")
  await press('Turn off')
  await confirm(page, 'Turn off')
  await page.getByText('Two-factor authentication is off').waitFor()
  await page.getByRole('button', { name: 'Set up' }).waitFor()
})

t.test('an owner requires a second factor, and members without one are led to set one up', { skip }, async (t) => {
  const { open, app, clock } = await sharedBrowser(t)
  const ana = await verifiedUp(app, { name: 'Ana', email })
  const page = await open({ as: ana.browser })
  const asked = page.getByRole('dialog')
  const require = 'Require two-factor authentication'
  await page.goto('/ana/settings')
  await page.getByRole('button', { name: require }).click()
  await asked.getByRole('button', { name: require }).click()
  await page.getByRole('alert').getByText('You need a second factor of your own first').waitFor()
  await checkAll(t, page, 'refused')
  await page.getByRole('link', { name: 'Set one up' }).click()
  await page.waitForURL('/settings/security')

  const [account] = await app.db.select().from(accounts).where(eq(accounts.slug, 'ana'))
  const [bea, carl] = [await verifiedUp(app, { name: 'Bea' }), await verifiedUp(app, { name: 'Carl' })]
  const member = { accountId: account?.id ?? 0, role: 'member' as const }
  await app.db.insert(memberships).values([bea, carl].map(({ user }) => ({ ...member, userId: user.id })))
  await app.db.update(users).set({ secondFactorAt: new Date() }).where(eq(users.email, email))
  await app.db.update(sessions).set({ firstFactor: 'password', provider: null, secondFactor: 'code' })
  const elsewhere = await open({ as: ana.browser })
  await openLive(elsewhere, '/ana/settings')
  await elsewhere.getByRole('button', { name: require }).waitFor()
  await page.goto('/ana/settings')
  await page.getByRole('button', { name: require }).click()
  await asked.getByText('2 of 3 have neither a code nor a passkey').waitFor()
  t.same(await asked.getByRole('listitem').allInnerTexts(), ['Bea', 'Carl'])
  await checkAll(t, page, 'asking')
  await asked.getByRole('button', { name: require }).click()
  await page.getByText('Two-factor authentication is now required').waitFor()
  for (const each of [page, elsewhere]) await each.getByText('Required', { exact: true }).waitFor()
  await checkAll(t, page, 'required')

  await page.getByRole('button', { name: 'Stop requiring it' }).click()
  await checkAll(t, page, 'asking to stop')

  const led = await open({ as: bea.browser })
  await led.goto('/ana')
  await led.waitForURL('/settings/security')
  const reason = led.getByRole('status').filter({ hasText: 'Two-factor authentication is required' })
  await reason.getByText('Ana', { exact: true }).waitFor()
  t.equal(await led.getByRole('alert').count(), 0, 'nothing went wrong')
  await checkAll(t, led, 'led to the set-up')
  await led.getByRole('button', { name: 'Set up' }).click()
  await confirm(led, 'Set up')
  const { secret, code } = await shownSetup(led)
  await code.fill(await codeAt(secret, clock.now()))
  await led.getByRole('button', { name: "I've saved them" }).click()
  await led.waitForURL('/ana')

  const lost = await open()
  await lost.goto('/sign_in')
  await enter(lost, bea.person)
  await lost.getByRole('button', { name: 'Use a recovery code' }).click()
  await lost.getByText('Lost both?').waitFor()
  t.equal(await lost.getByText('Contact support').count(), 0, 'where the operator named nobody who helps')
})

async function shownSetup(page: Page) {
  const secret = (await page.locator('.setup code').innerText()).replaceAll(' ', '')
  return { secret, code: page.getByLabel('Code', { exact: true }) }
}
