import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { chromium } from 'playwright-core'
import { chromiumPath, chromiumSwitches } from '../chromium.ts'
import { startWorld } from '../world/index.ts'
import { askForMail } from '../world/populate.ts'
import { type Shot, shots } from './shots.ts'

// `npm run screenshots [PATTERN]`: takes every page in light and dark mode, on a phone and a desktop, into
// .data/screenshots/. Those of README's gallery also go into docs/. With a pattern, only pages whose names match it.

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = `${root}.data/screenshots/`
const only = new RegExp(process.argv[2] ?? '')
const data = await mkdtemp(join(tmpdir(), 'accounts-screenshots-'))
await mkdir(folder, { recursive: true })

const world = await startWorld(data)
const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumSwitches })
try {
  const { tokens, cookies } = await world.populate(browser)
  await askForMail(browser, world.origin)
  const mails = await world.collectMail([
    'Reset your password',
    'Verify your email to zed@',
    'New sign-in',
    'invited you',
    'Two-factor',
    'password has been changed',
  ])
  const [reset, verification] = mails.map((mail) => mail?.text?.match(/https?:\S+sid=\S+/g) ?? [])
  const links = { reset: reset?.[0] ?? '/', notMine: verification?.[1] ?? '/' }
  const all = shots(tokens, links).filter(({ name }) => only.test(name))
  for (const shot of all) {
    for (const width of [360, 1440]) await take(shot, width, cookies, mails)
    console.log(shot.name)
  }
} finally {
  await browser.close()
  await world.end()
  await rm(data, { recursive: true, force: true })
}

type Cookies = Awaited<ReturnType<typeof world.populate>>['cookies']
type Mails = Awaited<ReturnType<typeof world.collectMail>>

async function take(shot: Shot, width: number, cookies: Cookies, mails: Mails) {
  // all those pictures take more requests than the limits allow
  await world.app.db.execute(sql`delete from rate_limits`)
  const viewport = { width, height: width < 600 ? 740 : 900 }
  const context = await browser.newContext({ baseURL: world.origin, viewport, reducedMotion: 'reduce' })
  if (shot.as) await context.addCookies(cookies[shot.as] ?? [])
  const page = await context.newPage()
  const mail = mails.find(({ subject }) => shot.mail && subject?.includes(shot.mail))
  if (mail?.html) await page.setContent(mail.html)
  else await page.goto(shot.path, { waitUntil: 'networkidle' })
  await shot.after?.(page)
  if (shot.whole) await page.evaluate('scrollTo(0, 0)')
  await page.waitForTimeout(shot.after ? 500 : 0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))')
    const picture = await page.screenshot({ fullPage: shot.whole === true })
    await writeFile(`${folder}${shot.name}-${colorScheme}-${width}.png`, picture)
    if (width > 600 && colorScheme === shot.gallery) {
      const cdp = await context.newCDPSession(page)
      const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
      await writeFile(`${root}docs/${shot.name}.webp`, Buffer.from(data, 'base64'))
    }
  }
  await context.close()
}
