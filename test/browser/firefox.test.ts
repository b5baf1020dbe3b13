import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import puppeteer, { type Browser } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { axe, findViolations } from '../../development/axe.ts'
import { freePort } from '../../development/free-port.ts'
import { startApp } from '../helpers/app.ts'
import { password } from '../helpers/people.ts'

const candidates = ['/usr/bin/firefox', '/usr/bin/firefox-esr', '/Applications/Firefox.app/Contents/MacOS/firefox']
const firefox = candidates.find((path) => existsSync(path))
const skip = firefox ? false : 'no Firefox was found on this machine'

t.test('the main walk in Firefox', { skip }, async (t) => {
  const browser = await launch(t)
  for (const ssr of ['false', 'true']) await t.test(`with SSR_ENABLED=${ssr}`, (t) => walk(t, browser, ssr))
})

async function launch(t: Test) {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefox ?? '',
    timeout: 120_000,
    defaultViewport: null,
    args: ['--width=1280', '--height=900'], // in a smaller one, messages cover the form
  })
  t.teardown(() => browser.close())
  return browser
}

t.test('menus and dialogs are accessible in Firefox', { skip }, async (t) => {
  const browser = await launch(t)
  const { goto, press, type, sees, key, violations } = await openFirefox(t, browser, 'true')
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
    await key('Escape')
    await sees('header button[aria-expanded=false]', menu)
  }

  await press('nav a', 'Members')
  await press('main button', 'Role of')
  await sees('[role=menuitemradio]')
  t.same(await violations(), [], 'roles')
  await key('Escape')
  await press('main button', 'Invite')
  await sees('[role=dialog] textarea:focus')
  t.same(await violations(), [], 'invitation')
  await key('Escape')
  await sees('body:not(:has([role=dialog]))')

  for (const [path, button] of [
    ['/ana-garcia/settings', 'Require it'],
    ['/ana-garcia/settings', 'Delete workspace'],
    ['/settings/profile', 'Delete your account'],
  ] as const) {
    await goto(path)
    await press('main button', button)
    await sees('[role=alertdialog] button')
    t.same(await violations(), [], button)
    await key('Escape')
  }
})

async function walk(t: Test, browser: Browser, ssr: string) {
  const { goto, press, type, sees, key, path, scheme } = await openFirefox(t, browser, ssr)
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
  await key('Escape')
  await press('header button[aria-expanded=false]', 'Menu of')
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

/** The application in a Firefox that is driven by WebDriver BiDi, where every complaint fails the test. */
async function openFirefox(t: Test, browser: Browser, ssr: string) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const environment = { PORT: String(port), HOST: origin, SSR_ENABLED: ssr, SSR_TIMEOUT_MS: '15000' }
  const { app } = await startApp(t, environment)
  await app.listen({ port, host: 'localhost' })
  const tab = await (await browser.createBrowserContext()).newPage()
  tab.on('pageerror', (error) => t.fail(`uncaught in the page: ${String(error)}`))
  tab.on('console', (message) => {
    if (message.type() === 'error') t.fail(`console: ${message.text()}`)
  })

  // The selectors of the driver need eval, which the security policy of the page refuses; an expression does not.
  async function find(selector: string, text = '') {
    const [css, words] = [JSON.stringify(selector), JSON.stringify(text)]
    const fits = `one.checkVisibility() && !one.disabled && one.textContent.includes(${words})`
    const found = `[...document.querySelectorAll(${css})].find((one) => ${fits})`
    for (const end = Date.now() + 20_000; Date.now() < end; await pause(50)) {
      const element = (await tab.evaluateHandle(found).catch(() => undefined))?.asElement()
      if (element) return element
    }
    throw new Error(`There is no ${selector} with "${text}"; there is ${await tab.evaluate('document.body.innerText')}`)
  }

  return {
    goto: (path: string) => tab.goto(origin + path),
    sees: find,
    key: (name: 'Escape') => tab.keyboard.press(name),
    path: () => tab.evaluate('location.pathname'),
    async violations() {
      await tab.evaluate(axe)
      await tab.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))')
      return tab.evaluate(findViolations)
    },
    scheme: () => tab.evaluate('getComputedStyle(document.documentElement).colorScheme'),
    async press(selector: string, text?: string) {
      await (await find(selector, text)).click()
    },
    async type(selector: string, text: string) {
      await (await find(selector)).click({ count: 3 }) // so that it replaces what is there
      await tab.keyboard.type(text)
    },
  }
}
