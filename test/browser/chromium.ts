import { type BrowserContext, type BrowserContextOptions, chromium, type Page, type Response } from 'playwright-core'
import root, { type Test } from 'tap'
import { chromiumSwitches, headlessPath } from '../../development/chromium.ts'
import { freePort } from '../../development/free-port.ts'
import { sharedApp, startApp } from '../helpers/app.ts'
import type { Browser } from '../helpers/browser.ts'

/**
 * The reason to skip browser tests, or false. A missing browser is a failure, unless BROWSER_TESTS=off says otherwise.
 */
export const skip = process.env.BROWSER_TESTS === 'off' ? 'BROWSER_TESTS=off' : false

/**
 * The application on its own port, and a real browser. `open` opens a page in a new context, where every error fails
 * the test.
 */
export const startBrowser = async (t: Test, environment: Record<string, string> = {}) =>
  browse(t, startApp, await freePort(), environment)

/** Ports of shared applications that no test has at the moment, by their settings. */
const idle = new Map<string, number[]>()

/** The same with an application of all tests that take one with these settings, as `sharedApp` has it. */
export async function sharedBrowser(t: Test, environment: Record<string, string> = {}) {
  const key = JSON.stringify(environment)
  const free = idle.get(key) ?? []
  idle.set(key, free)
  const port = free.pop() ?? (await freePort())
  t.teardown(() => free.push(port))
  return browse(t, sharedApp, port, environment)
}

async function browse(t: Test, start: typeof sharedApp, port: number, environment: Record<string, string>) {
  const origin = `http://localhost:${port}`
  const started = await start(t, { PORT: String(port), HOST: origin, SSR_TIMEOUT_MS: '60000', ...environment })
  if (!started.app.server.listening) await started.app.listen({ port, host: 'localhost' })
  return { ...started, origin, open: await openAt(t, origin) }
}

/** Like `open`, for an application that is already being served. */
export async function openAt(t: Test, origin: string) {
  const contexts: BrowserContext[] = []
  const closeFrom = async (first: number, ended: Test) => {
    if (!ended.passing()) await describeAll(t, contexts.slice(first))
    await Promise.all(contexts.splice(first).map((context) => context.close()))
  }
  // What a subtest has opened ends with it, since every open page takes time from the next.
  const opened: number[] = []
  t.beforeEach(() => {
    opened.push(contexts.length)
  })
  t.afterEach((ended) => closeFrom(opened.pop() ?? 0, ended))
  t.teardown(() => closeFrom(0, t))

  return async ({ expects = [], as, hasty = false, ...options }: Opened = {}) => {
    const context = await (await launched()).newContext({
      baseURL: origin,
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...options,
    })
    await context.addCookies([...(as?.cookies ?? [])].map(([name, value]) => ({ name, value, url: origin })))
    context.setDefaultTimeout(60_000)
    contexts.push(context)
    const page = await context.newPage()
    failOnComplaints(t, page, expects)
    if (!hasty) waitsForScripts(page)
    return page
  }
}

/** What the pages said when a test failed, which a timeout does not tell. */
async function describeAll(t: Test, contexts: BrowserContext[]) {
  for (const page of contexts.flatMap((context) => context.pages())) {
    const body = await page.evaluate<string>('document.body.innerText').catch(String)
    t.comment(`${page.url()} says: ${body.replaceAll(/\s+/g, ' ').slice(0, 2_000)}`)
  }
}

const isAlive = `(() => {
  const heading = document.querySelector('#app h1')
  return !document.getElementById('app') || Object.keys(heading ?? {}).some((key) => key.startsWith('__react'))
})()`

/** A page that the server rendered is there before its script. Steps that come in between would depend on luck. */
function waitsForScripts(page: Page) {
  const goto = page.goto.bind(page)
  page.goto = async (...to) => {
    const response = await goto(...to)
    // Where the script is missing on purpose, the test goes on without it.
    for (let tries = 0; tries < 100 && !(await page.evaluate<boolean>(isAlive).catch(() => false)); tries++) {
      await page.waitForTimeout(20)
    }
    return response
  }
}

let browser: ReturnType<typeof chromium.launch> | undefined

/** One Chromium for all tests of a file, since starting it takes longer than many tests. Each has its own contexts. */
function launched() {
  if (browser) return browser
  if (!headlessPath) throw new Error('No Chromium was found: install it, or set BROWSER_TESTS=off')
  browser = chromium.launch({ executablePath: headlessPath, args: chromiumSwitches })
  root.teardown(async () => {
    setTimeout(endAnyway, 20_000).unref()
    await (await browser)?.close()
  })
  return browser
}

/** All is tested by then. What stays open, on a busy machine, would hold the file until its time is over. */
function endAnyway() {
  console.error(`still open after the tests: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit()
}

/**
 * `as` is a browser that is already signed in: signing in by form takes time and counts against limits. With `hasty`,
 * the test acts before the page's script is there.
 */
type Opened = BrowserContextOptions & { expects?: Expected[]; as?: Browser; hasty?: boolean }

/** What the test causes on purpose: a status, being offline, errors in the console, or code that Vite cannot load. */
type Expected = number | 'offline' | 'error' | 'broken code'

/** Fails on console errors, uncaught errors, CSP violations and failed requests. */
function failOnComplaints(t: Test, page: Page, expects: Expected[]) {
  page.on('pageerror', (error) => t.fail(`uncaught in the page: ${error.message}`))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // The client aborts requests it no longer needs.
    if (reason !== 'net::ERR_ABORTED' && !expects.includes('offline'))
      t.fail(`${request.method()} ${request.url()} failed: ${reason}`)
  })
  page.on('response', (response) => {
    if (expects.includes(response.status())) return
    if (response.status() >= 400 && !isExpected(response)) {
      t.fail(`${response.request().method()} ${response.url()} answered ${response.status()}`)
    }
  })
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (expects.includes('error')) return
    if (/status of 422/.test(message.text())) return // checked above, by its headers
    if (expects.length > 0 && /Failed to load resource|net::ERR_/.test(message.text())) return
    if (expects.includes('broken code') && message.text().startsWith('[vite]')) return
    t.fail(`console: ${message.text()}`)
  })
}

// A rejected validation, or a script's request whose response is not a page.
const isExpected = (response: Response) =>
  response.status() === 422 && (response.headers().precognition === 'true' || response.url().endsWith('/options'))
