import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../drizzle/schema.ts'
import { suspendUser } from '../helpers/endings.ts'
import { password, sidOf, signedIn, verifiedUp } from '../helpers/people.ts'
import { sharedBrowser, skip } from './chromium.ts'
import { confirm, enter, fill, until } from './steps.ts'

const email = 'ana@example.com'
const fresh = 'a fresh new password'

t.test('a person changes, takes along and deletes what is theirs', { skip }, async (t) => {
  const { app, open } = await sharedBrowser(t, { SSR_ENABLED: 'true' })
  const { browser, person } = await verifiedUp(app, { name: 'Ana', email })
  const page = await open({ as: browser })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const wrong = () => page.getByText('That is not your current password').waitFor()

  await page.goto('/')
  await page.getByText('First steps').waitFor()
  await page.goto('/settings/profile')
  await fill(page, { Name: ' ' })
  await press('Save')
  await page.getByText('Enter a name.').waitFor()
  await fill(page, { Name: 'Ana María' })
  await press('Save')
  await page.getByRole('button', { name: 'Menu of Ana María' }).waitFor()
  await page.getByRole('button', { name: 'Workspace: Ana' }).waitFor() // which keeps its name

  const challenge = page.getByLabel('Current password').first()
  await challenge.fill('wrong')
  await press('Download your data')
  await wrong()
  await challenge.fill(password)
  const download = page.waitForEvent('download')
  await press('Download your data')
  const file = await download
  t.equal(file.suggestedFilename(), 'accounts-export.json')
  t.equal(JSON.parse(await readFile(await file.path(), 'utf8')).user.email, email)
  await until(() => challenge.inputValue(), '') // the password is forgotten

  await page.getByRole('link', { name: 'Password', exact: true }).click()
  await page.waitForURL('/settings/password')
  await fill(page, { 'Current password': password, 'New password': fresh })
  await press('Change password')
  await page.getByText('Your password has been changed').waitFor()
  await until(() => page.getByLabel('New password', { exact: true }).inputValue(), '') // as all fields

  await page.getByRole('link', { name: 'Email', exact: true }).click()
  await page.waitForURL('/settings/email')
  await fill(page, { 'New email': 'new@example.com', 'Current password': 'wrong' })
  await press('Change email')
  await wrong()
  await fill(page, { 'Current password': fresh })
  await press('Change email')
  await page.getByText('Your email has been changed').waitFor()
  await page.reload()
  await page.getByText('Check new@example.com: we sent a link there').waitFor()
  t.equal(await page.getByRole('button', { name: /Resend|again/ }).count(), 1, 'asked once to verify it')

  const second = { ...person, email: 'new@example.com', password: fresh }
  await signedIn(app, second)
  await page.goto('/settings/sessions')
  const rows = page.getByRole('listitem')
  await rows.nth(1).waitFor()
  t.equal(await page.getByText('This device').count(), 1)
  const other = rows.filter({ hasNotText: 'This device' })
  await other.getByRole('button', { name: /Sign out/ }).click()
  await page.getByText('That session has ended').waitFor()
  await rows.nth(1).waitFor({ state: 'detached' })
  const monthAgo = new Date(Date.now() - 31 * 86_400_000)
  const unseen = await signedIn(app, second)
  await app.db
    .update(sessions)
    .set({ lastSeenAt: monthAgo })
    .where(eq(sessions.token, unseen.page.props.auth.session.id))
  await page.reload()
  t.notOk(await rows.nth(1).isVisible(), 'it is folded')
  await page.getByText('1 session not seen for more than 30 days').click()
  await rows
    .nth(1)
    .getByRole('button', { name: /Sign out/ })
    .click()
  await rows.nth(1).waitFor({ state: 'detached' })

  const stolen = await signedIn(app, second)
  await page.goto('/settings/activity?kind=sign_ins')
  await page.getByRole('button', { name: /^Not you/ }).click()
  await press('End this session')
  await page.waitForURL('/settings/password')
  t.equal((await stolen.browser.request('GET', '/settings/profile')).headers.location, '/sign_in')

  await page.goto('/settings/profile')
  await press('Delete your account')
  const consequence = page.getByText('The workspace Ana is deleted with your account.')
  await consequence.waitFor()
  await confirm(page, 'Delete your account', 'wrong')
  await wrong()
  t.equal(await consequence.count(), 1, 'what is asked about does not vanish')
  await confirm(page, 'Delete your account', fresh)
  await page.getByText('Your account has been deleted').waitFor()
  t.equal(new URL(page.url()).pathname, '/')
  await page.goto('/sign_in')
  await enter(page, second)
  await page.getByText('That email or password is incorrect').waitFor()
})

t.test('a forgotten password, from the sign-in page to a new sign-in', { skip }, async (t) => {
  const { app, open } = await sharedBrowser(t, { SSR_ENABLED: 'true' })
  const { user } = await verifiedUp(app, { name: 'Ana', email })
  const page = await open()
  await page.goto('/sign_in')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.waitForURL('/identity/password_reset/new')
  await fill(page, { Email: email })
  await page.getByRole('button', { name: 'Send reset instructions' }).click()
  await page.getByText("If that email belongs to a verified account, we've sent reset instructions to it").waitFor()

  const link = `/identity/password_reset/edit?sid=${await sidOf(app, 'password_reset', user.id)}`
  await page.goto(link)
  await page.locator('[name=password]:focus').waitFor()
  await fill(page, { Password: fresh })
  await page.getByRole('button', { name: 'Reset password' }).click()
  await page.waitForURL('/sign_in')
  await page.getByText('Your new password works.').waitFor()
  t.equal(await page.getByLabel('Email').inputValue(), email)
  await page.locator('[name=password]:focus').waitFor()
  t.equal(await page.getByRole('region', { name: 'Check your email' }).count(), 0)
  await page.goto(link)
  await page.getByText('That link was already used or has expired.').waitFor()
  await page.goto('/sign_in')
  await enter(page, { email, password: fresh })
  await page.waitForURL('/ana')
})

t.test('the form that refuses whoever is suspended leads to those who help', { skip }, async (t) => {
  const { app, open } = await sharedBrowser(t, { SUPPORT_EMAIL: 'help@example.com' })
  const { user, person } = await verifiedUp(app)
  await suspendUser(app, user.id)
  const page = await open()
  await page.goto('/sign_in')
  await enter(page, person)
  await page.getByRole('alert').getByRole('link', { name: 'Contact support' }).waitFor()
})
