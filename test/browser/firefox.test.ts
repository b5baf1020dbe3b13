import type { Browser } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { password } from '../helpers/people.ts'
import { launchFirefox, openFirefox, skip } from './firefox.ts'

t.test('the main walk in Firefox', { skip }, async (t) => {
  const browser = await launchFirefox(t)
  for (const ssr of ['false', 'true']) await t.test(`with SSR_ENABLED=${ssr}`, (t) => walk(t, browser, ssr))
})

t.test('menus and dialogs are accessible in Firefox', { skip }, async (t) => {
  const browser = await launchFirefox(t)
  const { goto, press, type, sees, escapes, violations } = await openFirefox(t, browser, { SSR_ENABLED: 'true' })
  await goto('/sign_up')
  await sees('[name=name]:focus')
  t.same(await violations(), [], 'sign-up')
  await type('[name=name]', 'Ana García')
  await type('[name=email]', 'ana@example.com')
  await type('[name=password]', password)
  await type('[name=password_confirmation]', password)
  await press('[type=submit]', 'Sign up')
  await sees('h1', 'Ana García')
  await sees('h2', 'First steps')
  t.same(await violations(), [], 'overview')
  for (const menu of ['Workspace:', 'Menu of']) {
    await press('header button', menu)
    await sees('[role^=menuitem]')
    t.same(await violations(), [], menu)
    await escapes('header button[aria-expanded=false]', menu)
  }

  await press('nav a', 'Members')
  await press('main button', 'Role of')
  await sees('[role=menuitemradio]')
  t.same(await violations(), [], 'roles')
  await escapes('main button[aria-expanded=false]', 'Role of')
  await press('main button', 'Invite')
  await sees('[role=dialog] textarea:focus')
  t.same(await violations(), [], 'invitation')
  await escapes('body:not(:has([role=dialog]))')

  for (const [path, button] of [
    ['/ana-garcia/settings', 'Require it'],
    ['/ana-garcia/settings', 'Delete workspace'],
    ['/settings/profile', 'Delete your account'],
  ] as const) {
    await goto(path)
    await press('main button', button)
    await sees('[role=alertdialog] button')
    t.same(await violations(), [], button)
    await escapes('body:not(:has([role=alertdialog]))')
  }
})

async function walk(t: Test, browser: Browser, ssr: string) {
  const { goto, press, type, sees, escapes, path, scheme } = await openFirefox(t, browser, { SSR_ENABLED: ssr })
  const email = 'ana@example.com'

  await goto('/')
  await press('a[href="/sign_up"]')
  await sees('[name=name]:focus') // A page that moves the focus later would take it from the field typed into.
  await type('[name=email]', 'nobody')
  await type('[name=name]', 'Ana García') // leaving a field has it judged
  await sees('.field-error p', 'Email is invalid.')
  await type('[name=email]', email)
  await type('[name=password]', password)
  await type('[name=password_confirmation]', password)
  await press('[type=submit]', 'Sign up')
  await sees('h1', 'Ana García')
  await sees('body', 'Welcome! You have signed up successfully')
  t.equal(await path(), '/ana-garcia')

  await press('nav a', 'Members')
  await press('main button', 'Invite')
  await sees('[role=dialog] textarea:focus')
  await type('[role=dialog] textarea', 'eve@example.com')
  await press('[role=dialog] button', 'Send invitations')
  await sees('li', 'eve@example.com')
  await sees('body:not(:has([role=dialog]))')

  await press('header button', 'Menu of')
  await press('[role=menuitemradio]', 'Dark')
  t.equal(await scheme(), 'dark')
  await escapes('header button[aria-expanded=false]', 'Menu of')
  await press('header button', 'Menu of')
  await press('[role=menuitem]', 'Sign out')
  await sees('h1', 'Sign in')
  await sees('[name=email]:focus')
  t.equal(await scheme(), 'dark')

  await type('[name=email]', email)
  await type('[name=password]', 'wrong horse battery')
  await press('[type=submit]', 'Sign in')
  await sees('[role=alert]', 'That email or password is incorrect')
  await type('[name=password]', password)
  await press('[type=submit]', 'Sign in')
  await sees('body', 'Signed in successfully')
  await sees('h1', 'Ana García')
}
