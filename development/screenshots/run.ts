import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import { chromium, type Page } from 'playwright-core'
import { users } from '../../drizzle/schema.ts'
import { chromiumSwitches, headlessPath } from '../chromium.ts'
import { startWorld } from '../world/index.ts'
import { askForMail } from '../world/populate.ts'
import { pieceOf, spokenIn } from './language.ts'
import { leaksOn, problemsOf } from './leaks.ts'
import { type Shot, shots } from './shots.ts'

// `npm run screenshots -- [--language de] [PATTERN]`: takes every page in light and dark mode, on a phone and a
// desktop, into .data/screenshots/. Those of README's gallery also go into docs/. With a pattern, only pages whose
// names match it. With --check, it takes no pictures and lists what axe finds and what is too wide for a
// phone, or in the pseudo-language of the tests what is not translated.

const { values, positionals } = parseArgs({
  options: { language: { type: 'string', default: 'en' }, check: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = `${root}.data/screenshots/${values.language === 'en' ? '' : `${values.language}/`}`
const only = new RegExp(positionals[0] ?? '')
const data = await mkdtemp(join(tmpdir(), 'accounts-screenshots-'))
await mkdir(folder, { recursive: true })

const world = await startWorld(data)
const language = world.app.languageOf(values.language)
const browser = await chromium.launch({ executablePath: headlessPath, args: chromiumSwitches })
const failures: string[] = []
try {
  const { tokens, cookies } = await world.populate(browser)
  await askForMail(browser, world.origin)
  if (language.tag !== 'en') await world.app.db.update(users).set({ language: language.tag })
  const subjects = [
    'Reset your password',
    'Verify your email',
    'New sign-in to {appName}',
    '{inviter} invited you to {place} on {appName}',
    'Two-factor authentication is on',
    'Your password has been changed',
  ]
  const pieces = subjects.map((subject) => pieceOf(subject, language))
  const collected = await world.collectMail(
    pieces.map((piece, index) => (index === 1 ? { piece, to: 'zed@example.com' } : { piece })),
  )
  const mails = new Map(subjects.map((subject, index) => [subject, collected[index]]))
  const [reset, verification] = collected.map((mail) => mail?.text?.match(/https?:\S+sid=\S+/g) ?? [])
  const links = { reset: reset?.[0] ?? '/', notMine: verification?.[1] ?? '/' }
  const all = shots(tokens, links).filter(({ name }) => only.test(name))
  for (const shot of all) {
    for (const width of values.check ? [360] : [360, 1440]) await take(shot, width, cookies, mails)
    console.log(shot.name)
  }
} finally {
  await browser.close()
  await world.end()
  await rm(data, { recursive: true, force: true })
}
for (const failure of failures) console.log(failure)
if (failures.length > 0) process.exitCode = 1

type Cookies = Awaited<ReturnType<typeof world.populate>>['cookies']
type Mails = Map<string, Awaited<ReturnType<typeof world.collectMail>>[number] | undefined>

async function take(shot: Shot, width: number, cookies: Cookies, mails: Mails) {
  // all those pictures take more requests than the limits allow
  await world.app.db.execute(sql`delete from rate_limits`)
  const viewport = { width, height: width < 600 ? 740 : 900 }
  const context = await browser.newContext({ baseURL: world.origin, viewport, reducedMotion: 'reduce' })
  await context.addCookies([{ name: 'language', value: language.tag, url: world.origin }])
  if (shot.as) await context.addCookies(cookies[shot.as] ?? [])
  const page = await context.newPage()
  const mail = mails.get(shot.mail ?? '')
  if (mail?.html) await page.setContent(mail.html)
  const path = typeof shot.path === 'string' ? shot.path : await shot.path(world.app)
  if (!mail?.html) await page.goto(path, { waitUntil: 'networkidle' })
  const [, status] = /^\/(\d+).*\.html$/.exec(path) ?? [] // as files, error pages are in English
  if (status) await page.setContent(world.app.errorPage(Number(status), language), { waitUntil: 'networkidle' })
  const spoken = language.tag === 'en' ? page : spokenIn(page, language)
  spoken.setDefaultTimeout(10_000)
  await shot.after?.(spoken).catch((error) => failures.push(`${shot.name}: ${error.message.split('\n')[0]}`))
  if (shot.whole) await page.evaluate('scrollTo(0, 0)')
  await page.waitForTimeout(shot.after ? 500 : 0)
  const find = language.tag === 'xx' ? leaksOn : problemsOf
  if (values.check) failures.push(...(await find(page)).map((leak) => `${shot.name}: ${leak}`))
  else await photograph(shot, width, page)
  await context.close()
}

async function photograph(shot: Shot, width: number, page: Page) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))')
    const picture = await page.screenshot({ fullPage: shot.whole === true })
    await writeFile(`${folder}${shot.name}-${colorScheme}-${width}.png`, picture)
    if (width > 600 && colorScheme === shot.gallery && language.tag === 'en') {
      const cdp = await page.context().newCDPSession(page)
      const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
      await writeFile(`${root}docs/${shot.name}.webp`, Buffer.from(data, 'base64'))
    }
  }
}
