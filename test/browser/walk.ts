import type { Page } from 'playwright-core'
import type { Test } from 'tap'

/** Sentences that are put together from a field and what is wrong with it. */
const inEnglish = {
  invalid: 'Email is invalid.',
  short: 'Password needs at least 12 characters.',
  title: 'Ana García · Acme Accounts',
}

/** What everyone does first: mistakes in a form, sign-up, the theme, sign-out, a wrong password and sign-in. */
export async function walk(t: Test, page: Page, messages = inEnglish) {
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const toast = (text: string) => page.getByText(text)

  await page.goto('/')
  await page.getByRole('link', { name: 'Sign up' }).first().click()
  await page.waitForURL('/sign_up')
  await heading('Sign up')

  // An error shows beside its field on blur, and disappears while the field is edited.
  await page.getByLabel('Email').fill('nobody')
  await page.getByLabel('Email').blur()
  await page.getByText(messages.invalid).waitFor()
  t.equal(await page.locator('.field-error p').count(), 1)
  await page.getByLabel('Email').pressSequentially('@')
  t.equal(await page.locator('.field-error p').count(), 0)

  await page.getByLabel('Name', { exact: true }).fill('Ana García')
  await page.getByLabel('Password', { exact: true }).fill('too short')
  await page.getByLabel('Password confirmation', { exact: true }).fill('another')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('The two passwords are different.').waitFor()
  await page.getByText(messages.short).waitFor()
  t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Ana García', 'what was typed is kept')
  await page.locator('[name=email]:focus').waitFor() // the first field with an error

  await page.getByLabel('Email').fill('ana@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByLabel('Password confirmation', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign up' }).click()

  await page.waitForURL('/ana-garcia')
  await heading('Ana García')
  await toast('Welcome! You have signed up successfully').waitFor()
  t.equal(await toast('Welcome! You have signed up successfully').count(), 1, 'the welcome shows once')
  // the member count, which is deferred
  await page.getByRole('definition').filter({ hasText: /^1$/ }).waitFor()
  t.equal(await page.title(), messages.title)
  t.equal(await page.locator('title').count(), 1)
  t.match(await page.content(), `<title>${messages.title}</title>`)

  await page.getByRole('button', { name: /^Menu of/ }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  t.equal(await scheme(page), 'dark')
  await page.reload()
  await heading('Ana García')
  t.equal(await scheme(page), 'dark', 'the theme outlives a reload')
  t.equal(await toast('Welcome! You have signed up successfully').count(), 0, 'and the welcome does not')

  await page.getByRole('button', { name: /^Menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('/sign_in')
  await toast('You are signed out').waitFor()
  t.equal(await scheme(page), 'dark')

  await page.getByLabel('Email').fill('ana@example.com')
  await page.getByLabel('Password', { exact: true }).fill('wrong horse battery')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await toast('That email or password is incorrect').waitFor()
  t.equal(await page.getByLabel('Email').inputValue(), 'ana@example.com')

  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('/ana-garcia')
  await toast('Signed in successfully').waitFor()
}

// Strings, since they run in the browser and tests have no DOM types.
const scheme = (page: Page) => page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme')
