import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import t from 'tap'
import { accounts, memberships, sessions, users } from '../../drizzle/schema.ts'
import { password, verifiedUp } from '../helpers/people.ts'
import { codeAt, inArabic } from '../helpers/second-factors.ts'
import { checkAll, violations } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { enter } from './steps.ts'

const email = 'ana@example.com'

t.test('a person sets up an app, keeps the codes and signs in', { skip }, async (t) => {
  const { app, open, clock } = await startBrowser(t, { SSR_ENABLED: 'true' })
  const { browser } = await verifiedUp(app, { name: 'Ana', email })
  const page = await open({ as: browser, permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/settings/security')
  await checkAll(t, page, 'off')

  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Current password', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('That is not your current password').waitFor()
  await checkAll(t, page, 'asked for the password')
  await page.getByLabel('Current password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  t.ok(await page.evaluate(`document.querySelector('.setup-picture').naturalWidth > 0`), 'the picture is drawn')
  t.same(await violations(page), [], 'being set up')

  const secret = (await page.locator('code').innerText()).replaceAll(' ', '')
  const code = page.getByLabel('Code', { exact: true })
  const right = await codeAt(secret, clock.now())
  await code.pressSequentially(right === '123456' ? '654321' : '123456')
  await page.getByText('That code is wrong').waitFor()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  await code.fill(right) // submits by itself
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
  await page.getByText('Two-factor authentication is on').waitFor()
  await checkAll(t, page, 'recovery codes')

  const shown = (await page.locator('.recovery-codes li').allInnerTexts()).map((line) => line.trim())
  t.equal(shown.length, 10)
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Your recovery codes are copied').waitFor()
  t.equal(await page.evaluate('navigator.clipboard.readText()'), shown.join('\n'))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  t.equal(download.suggestedFilename(), 'recovery-codes.txt')
  await page.emulateMedia({ media: 'print' })
  t.equal(await page.getByRole('navigation', { name: 'Settings' }).isVisible(), false)
  t.equal(await page.locator('.recovery-codes').isVisible(), true)
  await page.emulateMedia({ media: 'screen' })
  t.notOk(String(await page.evaluate('JSON.stringify(history.state)')).includes(secret))

  await page.getByRole('button', { name: "I've saved them" }).click()
  await page.getByText('10 recovery codes left').waitFor()
  await checkAll(t, page, 'on')
  await page.reload()
  await page.getByText('10 recovery codes left').waitFor()
  t.equal(await page.locator('.recovery-codes').count(), 0, 'they are shown once')

  const other = await open()
  await other.goto('/sign_in')
  await enter(other, { email })
  await other.waitForURL('/sign_in/verify')
  await checkAll(t, other, 'the second step')
  const field = other.getByLabel('Code', { exact: true })
  t.equal(await field.getAttribute('autocomplete'), 'one-time-code')
  t.equal(await field.getAttribute('inputmode'), 'numeric')
  await field.fill('000000')
  await other.getByText('That code is wrong').waitFor()
  clock.forward({ seconds: 30 })
  const digits = await codeAt(secret, clock.now())
  await paste(other, `${digits.slice(0, 3)} ${inArabic(digits.slice(3))}`)
  await other.waitForURL('/ana')
  await other.getByText('Signed in successfully').waitFor()

  const third = await open()
  await third.goto('/sign_in')
  await enter(third, { email })
  await third.getByRole('button', { name: 'Use a recovery code' }).click()
  await third.getByLabel('Recovery code').fill(shown[0] ?? '')
  t.same(await violations(third), [], 'a recovery code')
  await third.getByRole('button', { name: 'Sign in', exact: true }).click()
  await third.waitForURL('/ana')

  await page.reload()
  await page.getByText('9 recovery codes left').waitFor()
  await page.getByRole('button', { name: 'Create new codes' }).click()
  await withPassword(page, 'Create new codes')
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
  await page.getByRole('button', { name: "I've saved them" }).click()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await withPassword(page, 'Turn off')
  await page.getByText('Two-factor authentication is off').waitFor()
  await page.getByRole('button', { name: 'Set up' }).waitFor()
})

async function requireIt(page: Page) {
  await page.getByRole('button', { name: 'Require it' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Require it' }).click()
}

/** Starts a set-up on the security page. */
async function beginSetup(page: Page) {
  await page.getByRole('button', { name: 'Set up' }).click()
  await withPassword(page, 'Continue')
  const secret = (await page.locator('.setup code').innerText()).replaceAll(' ', '')
  return { secret, code: page.getByLabel('Code', { exact: true }) }
}

/** Pastes the whole text at once. */
const paste = (page: Page, text: string) => page.keyboard.insertText(text)

async function withPassword(page: Page, action: string) {
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Current password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: action }).click()
}

t.test(
  'an owner requires a second factor, and members without one are redirected to set one up',
  { skip },
  async (t) => {
    const { open, app, clock } = await startBrowser(t)
    const { browser } = await verifiedUp(app, { name: 'Ana', email })
    const page = await open({ as: browser })
    await page.goto('/ana/settings')
    await requireIt(page)
    await page.getByRole('alert').getByText('You need a second factor of your own first').waitFor()
    t.same(await violations(page), [], 'refused')
    await page.getByRole('link', { name: 'Set one up' }).click()
    await page.waitForURL('/settings/security')

    const [account] = await app.db.select().from(accounts).where(eq(accounts.slug, 'ana'))
    const bea = await verifiedUp(app, { name: 'Bea' })
    const carl = await verifiedUp(app, { name: 'Carl' })
    for (const { user } of [bea, carl]) {
      await app.db.insert(memberships).values({ accountId: account?.id ?? 0, userId: user.id, role: 'member' })
    }
    await app.db.update(users).set({ secondFactorAt: new Date() }).where(eq(users.email, email))
    await app.db.update(sessions).set({ method: 'password_and_code' })
    await page.goto('/ana/settings')
    await page.getByRole('button', { name: 'Require it' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Require a second factor in Ana?' })
    await asked.getByText('2 of 3 have neither a code nor a passkey').waitFor()
    t.same(await asked.getByRole('listitem').allInnerTexts(), ['Bea', 'Carl'])
    t.same(await violations(page), [], 'asking')
    await asked.getByRole('button', { name: 'Require it' }).click()
    await page.getByText('Two-factor authentication is now required').waitFor()
    await page.getByText('Required', { exact: true }).waitFor()
    t.same(await violations(page), [], 'required')

    await page.getByRole('button', { name: 'Stop requiring it' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Stop requiring a second factor in Ana?' })
    await dialog.getByLabel('Current password', { exact: true }).fill(password)
    t.same(await violations(page), [], 'asking')
    await dialog.getByRole('button', { name: 'Stop requiring it' }).click()
    await page.getByText('Two-factor authentication is no longer required').waitFor()
    await requireIt(page)
    await page.getByText('Required', { exact: true }).waitFor()

    const invited = await open({ as: bea.browser })
    await invited.goto('/ana')
    await invited.waitForURL('/settings/security')
    const reason = invited.getByRole('status').filter({ hasText: 'Two-factor authentication is required' })
    await reason.getByText('Ana', { exact: true }).waitFor()
    t.equal(await invited.getByRole('alert').count(), 0, 'nothing went wrong')
    t.same(await violations(invited), [], 'led to the set-up')
    const { secret, code } = await beginSetup(invited)
    await code.fill(await codeAt(secret, clock.now()))
    await invited.getByRole('button', { name: "I've saved them" }).click()
    await invited.waitForURL('/ana')
  },
)
