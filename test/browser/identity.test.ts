import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { password, signedUp } from '../helpers/people.ts'
import { linkIn, startSmtp } from '../helpers/smtp.ts'
import { skip, startBrowser } from './chromium.ts'
import { enter, fill } from './steps.ts'

const fresh = 'a fresh new password'

/** The application with a mail server, and a signed-in person. */
async function startSignedIn(t: Test, ssr: string) {
  const smtp = await startSmtp(t)
  const started = await startBrowser(t, { SSR_ENABLED: ssr, ...smtp.environment })
  await started.app.jobs.work()
  const { browser } = await signedUp(started.app, { name: 'Ana', email: 'ana@example.com' })
  const page = await started.open({ as: browser })
  await page.goto('/')
  return { ...started, smtp, page }
}

async function signIn(page: Page, email: string, secret: string) {
  await page.goto('/sign_in')
  await enter(page, { email, password: secret })
}

// Half of them use server rendering. The walk covers both.

t.test('a forgotten password, from the sign-in page to a new sign-in, with SSR_ENABLED=true', { skip }, async (t) => {
  const { page, smtp, open } = await startSignedIn(t, 'true')
  await page.goto(linkIn(await smtp.next()))
  await page.getByText('Thank you for verifying your email address').waitFor()

  const forgetful = await open()
  await forgetful.goto('/sign_in')
  await forgetful.getByRole('link', { name: 'Forgot your password?' }).click()
  await forgetful.waitForURL('/identity/password_reset/new')
  await fill(forgetful, { Email: 'ana@example.com' })
  await forgetful.getByRole('button', { name: 'Send reset instructions' }).click()
  await forgetful
    .getByText("If that email belongs to a verified account, we've sent reset instructions to it")
    .waitFor()

  const mail = await smtp.next()
  t.equal(mail.subject, 'Reset your password')
  await forgetful.goto(linkIn(mail))
  await fill(forgetful, { Password: fresh, 'Password confirmation': 'another' })
  await forgetful.getByRole('button', { name: 'Reset password' }).click()
  await forgetful.getByText('The two passwords are different').waitFor()
  await fill(forgetful, { Password: fresh, 'Password confirmation': fresh })
  await forgetful.getByRole('button', { name: 'Reset password' }).click()
  await forgetful.waitForURL('/sign_in')
  await forgetful.getByText('Your password was reset successfully. Please sign in').waitFor()
  t.equal(await forgetful.getByLabel('Email').inputValue(), 'ana@example.com')
  t.equal(await forgetful.getByRole('region', { name: 'Check your email' }).count(), 0)
  await forgetful.goto(linkIn(mail))
  await forgetful.getByText('That link was already used or has expired.').waitFor()

  await signIn(forgetful, 'ana@example.com', fresh)
  await forgetful.waitForURL('/ana')
  await page.goto('/settings/profile')
  await page.waitForURL('/sign_in') // the old session has ended
})

t.test('changing profile, email and password, with SSR_ENABLED=true', { skip }, async (t) => {
  const { page, smtp, open } = await startSignedIn(t, 'true')
  await smtp.next()
  await page.getByText('First steps').waitFor()

  await page.goto('/settings/profile')
  await fill(page, { Name: ' ' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Name is missing').waitFor()
  await fill(page, { Name: 'Ana María' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your profile has been updated').waitFor()
  await page.getByRole('button', { name: 'Menu of Ana María' }).waitFor()

  await page.getByRole('link', { name: 'Email', exact: true }).click()
  await page.waitForURL('/settings/email')
  await fill(page, { 'New email': 'new@example.com', 'Current password': 'wrong' })
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByText('That is not your current password').waitFor()
  await fill(page, { 'Current password': password })
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByText('Your email has been changed').waitFor()
  await page.getByRole('button', { name: 'Workspace: Ana' }).waitFor()
  const verification = await smtp.next()
  t.equal(verification.recipient, 'new@example.com')
  await page.reload()
  await page.getByText('Check new@example.com: we sent a link there').waitFor()

  const second = await open()
  await signIn(second, 'new@example.com', password)
  await second.waitForURL('/ana')
  await second.goto(linkIn(verification)) // or nobody is told of a changed password

  await page.getByRole('link', { name: 'Password', exact: true }).click()
  await page.waitForURL('/settings/password')
  await fill(page, { 'Current password': password, 'New password': fresh, 'Password confirmation': fresh })
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Your password has been changed').waitFor()
  t.equal(await page.getByLabel('New password', { exact: true }).inputValue(), '', 'the fields are emptied')
  t.equal((await smtp.next()).subject, 'Your password has been changed')

  await second.goto('/settings/profile')
  await second.waitForURL('/sign_in') // the second browser has been signed out
})

t.test('ending another session, and deleting the user, with SSR_ENABLED=false', { skip }, async (t) => {
  const { page, open } = await startSignedIn(t, 'false')
  const second = await open()
  await signIn(second, 'ana@example.com', password)
  await second.waitForURL('/ana')

  await page.goto('/settings/sessions')
  const rows = page.getByRole('listitem')
  await rows.nth(1).waitFor()
  t.equal(await page.getByText('This device').count(), 1)
  await rows
    .filter({ hasNotText: 'This device' })
    .getByRole('button', { name: /Sign out/ })
    .click()
  await page.getByText('That session has ended').waitFor()
  await rows.nth(1).waitFor({ state: 'detached' })
  await second.goto('/settings/sessions')
  await second.waitForURL('/sign_in')

  await page.goto('/settings/profile')
  await page.getByRole('button', { name: 'Delete your account' }).click()
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await dialog.getByLabel('Current password', { exact: true }).fill('wrong')
  await dialog.getByRole('button', { name: 'Delete your account' }).click()
  await dialog.getByText('That is not your current password').waitFor()
  await dialog.getByLabel('Current password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Delete your account' }).click()
  await page.getByText('Your account has been deleted').waitFor()
  t.equal(new URL(page.url()).pathname, '/')

  await signIn(page, 'ana@example.com', password)
  await page.getByText('That email or password is incorrect').waitFor()
})
