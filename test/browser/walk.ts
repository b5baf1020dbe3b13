import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { english, translate, translateCount } from '../../plugins/languages/translate.ts'

/** What everyone does first: mistakes in a form, sign-up, the theme, sign-out, a wrong password and sign-in. */
export async function walk(t: Test, page: Page, language = english) {
  const say = (text: string, values?: Record<string, string>) => translate(language, text, values)
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const menu = say('Menu of {name}', { name: 'Ana García' }).replace(/[\u2068\u2069]/g, '') // the page isolates by bdi
  const toast = (text: string) => page.getByText(text)

  await page.goto('/')
  await page
    .getByRole('link', { name: say('Sign up') })
    .first()
    .click()
  await page.waitForURL('/sign_up')
  await heading(say('Sign up'))

  // An error shows beside its field on blur, and disappears while the field is edited.
  await page.getByLabel(say('Email')).fill('nobody')
  await page.getByLabel(say('Email')).blur()
  await page.getByText(say('{label} {message}.', { label: say('Email'), message: say('is invalid') })).waitFor()
  t.equal(await page.locator('.field-error p').count(), 1)
  await page.getByLabel(say('Email')).pressSequentially('@')
  t.equal(await page.locator('.field-error p').count(), 0)

  await page.getByLabel(say('Name'), { exact: true }).fill('Ana García')
  await page.getByLabel(say('Password'), { exact: true }).fill('too short')
  await page.getByLabel(say('Password confirmation'), { exact: true }).fill('another')
  await page.getByRole('button', { name: say('Sign up') }).click()
  await page.getByText(say('The two passwords are different.')).waitFor()
  await page.getByText(say('{label} needs at least 12 characters.', { label: say('Password') })).waitFor()
  t.equal(await page.getByLabel(say('Name'), { exact: true }).inputValue(), 'Ana García', 'what was typed is kept')
  await page.locator('[name=email]:focus').waitFor() // the first field with an error

  await page.getByLabel(say('Email')).fill('ana@example.com')
  await page.getByLabel(say('Password'), { exact: true }).fill('correct horse battery')
  await page.getByLabel(say('Password confirmation'), { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: say('Sign up') }).click()

  await page.waitForURL('/ana-garcia')
  await heading('Ana García')
  await toast(say('Welcome! You have signed up successfully')).waitFor()
  t.equal(await toast(say('Welcome! You have signed up successfully')).count(), 1, 'the welcome shows once')
  // the member count, which is deferred
  await page.getByRole('link', { name: translateCount(language, 1, '{count} member', '{count} members') }).waitFor()
  const title = /^\u2068?Ana García\u2069? · Acme Accounts$/ // isolated where people read from right to left
  t.match(await page.title(), title)
  t.equal(await page.locator('title').count(), 1)
  t.match(/<title>(.*)<\/title>/.exec(await page.content())?.[1], title)

  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitemradio', { name: say('Dark') }).click()
  t.equal(await scheme(page), 'dark')
  await page.reload()
  await heading('Ana García')
  t.equal(await scheme(page), 'dark', 'the theme outlives a reload')
  t.equal(await toast(say('Welcome! You have signed up successfully')).count(), 0, 'and the welcome does not')

  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitem', { name: say('Sign out') }).click()
  await page.waitForURL('/sign_in')
  await toast(say('You are signed out.')).waitFor()
  t.equal(await scheme(page), 'dark')

  await page.getByLabel(say('Email')).fill('ana@example.com')
  await page.getByLabel(say('Password'), { exact: true }).fill('wrong horse battery')
  await page.getByRole('button', { name: say('Sign in'), exact: true }).click()
  await toast(say('That email or password is incorrect. Check both and try again.')).waitFor()
  t.equal(await page.getByLabel(say('Email')).inputValue(), 'ana@example.com')

  await page.getByLabel(say('Password'), { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: say('Sign in'), exact: true }).click()
  await page.waitForURL('/ana-garcia')
  await toast(say('Signed in successfully')).waitFor()
}

// Strings, since they run in the browser and tests have no DOM types.
const scheme = (page: Page) => page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme')
