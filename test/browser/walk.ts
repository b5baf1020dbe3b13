import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { english, translate } from '../../plugins/languages/translate.ts'

/** What everyone does first: mistakes in a form, sign-up, the theme, sign-out, a wrong password and sign-in. */
export async function walk(t: Test, page: Page, language = english) {
  const say = (text: string, values?: Record<string, string | number>) => translate(language, text, values)
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const field = (label: string) => page.getByLabel(say(label), { exact: true })
  const press = (name: string) => page.getByRole('button', { name: say(name), exact: true }).click()
  const error = (text: string, values?: Record<string, string | number>) => page.getByText(say(text, values)).waitFor()
  const menu = say('Menu of {name}', { name: 'Ana García' }).replace(/[\u2068\u2069]/g, '') // the page isolates by bdi
  const choose = async (role: 'menuitem' | 'menuitemradio', name: string) => {
    await page.getByRole('button', { name: menu }).click()
    await page.getByRole(role, { name: say(name) }).click()
  }

  await page.goto('/')
  await field('Email').fill('somebody')
  await press('Create your account')
  await page.waitForURL('/sign_up')
  await heading(say('Sign up'))
  t.equal(await field('Email').inputValue(), 'somebody', 'the address of the front page is taken along')

  // An error shows beside its field on blur, and disappears while the field is edited.
  await field('Email').fill('nobody')
  await field('Email').blur()
  await error("That doesn't look like an email address.")
  t.equal(await page.locator('.field-error p').count(), 1)
  await field('Email').pressSequentially('@')
  t.equal(await page.locator('.field-error p').count(), 0)

  await field('Name').fill('Ana García')
  await field('Password').fill('too short')
  await press('Sign up')
  await error('The password needs at least {min} characters.', { min: 12 })
  t.equal(await field('Name').inputValue(), 'Ana García', 'what was typed is kept')
  await page.locator('[name=email]:focus').waitFor() // the first field with an error

  await field('Email').fill('ana@example.com')
  await field('Password').fill('correct horse battery')
  t.equal(await page.locator('.form input').count(), 3, 'nothing is asked twice')
  await press('Sign up')
  await page.waitForURL('/ana-garcia')
  await heading('Ana García')
  await page.getByText(say('Welcome! You have signed up successfully')).waitFor()
  const title = /^\u2068?Ana García\u2069? · Acme Accounts$/ // isolated where people read from right to left
  t.match(await page.title(), title)
  t.equal(await page.locator('title').count(), 1)
  t.match(/<title>(.*)<\/title>/.exec(await page.content())?.[1], title)

  await choose('menuitemradio', 'Dark')
  t.equal(await scheme(page), 'dark')
  await page.reload()
  await heading('Ana García')
  t.equal(await scheme(page), 'dark', 'the theme outlives a reload')
  await choose('menuitem', 'Sign out')
  await page.waitForURL('/sign_in')
  await page.getByText(say('You are signed out.')).waitFor()
  t.equal(await scheme(page), 'dark')

  await field('Email').fill('ana@example.com')
  await field('Password').fill('wrong horse battery')
  await press('Sign in')
  await page.getByText(say('That email or password is incorrect. Check both and try again.')).waitFor()
  t.equal(await field('Email').inputValue(), 'ana@example.com')
  await field('Password').fill('correct horse battery')
  await press('Sign in')
  await page.waitForURL('/ana-garcia')
  await page.getByText(say('Signed in successfully')).waitFor()
}

// A string, since it runs in the browser and tests have no DOM types.
const scheme = (page: Page) => page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme')
