import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import puppeteer, { type Browser } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import { startApp } from '../helpers/app.ts'
import { password } from '../helpers/people.ts'

const candidates = ['/usr/bin/firefox', '/usr/bin/firefox-esr', '/Applications/Firefox.app/Contents/MacOS/firefox']
const firefox = candidates.find((path) => existsSync(path))
const skip = firefox ? false : 'no Firefox was found on this machine'

t.test('the main walk in Firefox', { skip }, async (t) => {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefox ?? '',
    timeout: 120_000,
    defaultViewport: null,
    args: ['--width=1280', '--height=900'], // in a smaller one, messages cover the form
  })
  t.teardown(() => browser.close())
  for (const ssr of ['false', 'true']) await t.test(`with SSR_ENABLED=${ssr}`, (t) => walk(t, browser, ssr))
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
