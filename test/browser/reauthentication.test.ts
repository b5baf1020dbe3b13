import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { users } from '../../drizzle/schema.ts'
import { password, verifiedUp } from '../helpers/people.ts'
import { addAuthenticator } from './authenticator.ts'
import { violationsIn } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { fill } from './steps.ts'

t.test('a passkey in place of the password', { skip }, async (t) => {
  const { page, authenticator, app } = await withPasskey(t, { SSR_ENABLED: 'true' })
  const isHere = async () => (await app.db.select().from(users).where(eq(users.email, 'ana@example.com'))).length === 1

  await t.test('deletes the profile, unless the person cancels', async (t) => {
    await page.goto('/settings/profile')
    await page.getByRole('button', { name: 'Delete your account' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Current password', { exact: true }).fill('wrong')
    await dialog.getByRole('button', { name: 'Delete your account' }).click()
    await dialog.getByText('That is not your current password').waitFor()
    t.same(await violationsIn(page), [], 'after a wrong password')

    await authenticator.refuse(true)
    await dialog.getByRole('button', { name: 'Use a passkey instead' }).click()
    await dialog.getByText('Your device will ask for your passkey').waitFor()
    await page.waitForLoadState('networkidle')
    t.equal(await dialog.getByRole('alert').count(), 0, 'cancelling is no error')
    t.ok(await isHere())
    t.same(await violationsIn(page), [], 'cancelled')

    await authenticator.refuse(false)
    await dialog.getByRole('button', { name: 'Use your password instead' }).click()
    t.equal(await dialog.getByText('That is not your current password').count(), 0)
    await dialog.getByRole('button', { name: 'Use a passkey instead' }).click()
    await page.waitForURL('/')
    await page.getByText('Your account has been deleted').waitFor()
    t.notOk(await isHere())
  })
})

/** A person whose device has a passkey. */
async function withPasskey(t: Test, environment: Record<string, string> = {}, ...expects: number[]) {
  const { app, open } = await startBrowser(t, environment)
  const { browser } = await verifiedUp(app, { name: 'Ana', email: 'ana@example.com' })
  const page = await open({ as: browser, expects })
  const authenticator = await addAuthenticator(page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await fill(page, { 'Current password': password })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Passkey added').waitFor()
  return { app, page, authenticator }
}
