import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import type { Test } from 'tap'
import { axe, findViolations } from '../../development/axe.ts'
import { freePort } from '../../development/free-port.ts'
import { startApp } from '../helpers/app.ts'

const candidates = ['/usr/bin/firefox', '/usr/bin/firefox-esr', '/Applications/Firefox.app/Contents/MacOS/firefox']
const firefox = candidates.find((path) => existsSync(path))

/** The reason to skip tests in Firefox, or false. */
export const skip = firefox ? false : 'no Firefox was found on this machine'

/** A Firefox that ends with the test. */
export async function launchFirefox(t: Test) {
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

/** The application in a Firefox that is driven by WebDriver BiDi, where every complaint fails the test. */
export async function openFirefox(t: Test, browser: Browser, environment: Record<string, string> = {}) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const started = await startApp(t, { PORT: String(port), HOST: origin, SSR_TIMEOUT_MS: '15000', ...environment })
  await started.app.listen({ port, host: 'localhost' })
  /** A tab of a browser that has never been here. */
  async function open() {
    const context = await browser.createBrowserContext()
    const openTab = async () => driverOf(t, await context.newPage(), origin)
    return { ...(await openTab()), openTab }
  }
  return { ...started, origin, open, ...(await open()) }
}

function driverOf(t: Test, tab: Page, origin: string) {
  tab.on('pageerror', (error) => t.fail(`uncaught in the page: ${String(error)}`))
  tab.on('console', (message) => {
    if (message.type() === 'error') t.fail(`console: ${message.text()}`)
  })

  // The selectors of the driver need eval, which the security policy of the page refuses; an expression does not.
  async function find(selector: string, text = '', meanwhile = async () => {}) {
    const [css, words] = [JSON.stringify(selector), JSON.stringify(text)]
    const fits = `one.checkVisibility() && !one.disabled && one.textContent.includes(${words})`
    const found = `[...document.querySelectorAll(${css})].find((one) => ${fits})`
    for (const end = Date.now() + 20_000; Date.now() < end; await pause(50)) {
      const element = (await tab.evaluateHandle(found).catch(() => undefined))?.asElement()
      if (element) return element
      await meanwhile()
    }
    throw new Error(`There is no ${selector} with "${text}"; there is ${await tab.evaluate('document.body.innerText')}`)
  }

  /** Presses it, or its successor: an item of a menu that fades out is found, and is gone when it is pressed. */
  async function press(selector: string, text?: string, count = 1): Promise<void> {
    const element = await find(selector, text)
    await element.click({ count }).catch((error: Error) => {
      if (!error.message.includes('detached')) throw error
      return press(selector, text, count)
    })
  }

  return {
    goto: (path: string) => tab.goto(origin + path),
    back: () => tab.goBack(),
    async clearCookies() {
      await tab.goto('about:blank') // or the stream of the page, which is not let in any more, is a complaint
      const context = tab.browserContext()
      await context.deleteCookie(...(await context.cookies()))
    },
    sees: (selector: string, text?: string) => find(selector, text),
    /** Presses Escape until this is there: a busy Firefox loses a key that comes while a menu opens. */
    async escapes(selector: string, text?: string) {
      await tab.keyboard.press('Escape')
      await find(selector, text, async () => {
        await pause(1_000)
        await tab.keyboard.press('Escape')
      })
    },
    path: () => tab.evaluate('location.pathname'),
    value: (selector: string) => tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).value`),
    async violations() {
      await tab.evaluate(axe)
      await tab.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))')
      return tab.evaluate(findViolations)
    },
    scheme: () => tab.evaluate('getComputedStyle(document.documentElement).colorScheme'),
    press,
    async type(selector: string, text: string) {
      await press(selector, '', 3) // so that it replaces what is there
      await tab.keyboard.type(text)
    },
  }
}
