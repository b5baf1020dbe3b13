import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { chromium, type Page } from 'playwright-core'
import { buildApp } from '../app.ts'
import { migrate } from '../drizzle/migrate.ts'
import { users } from '../drizzle/schema.ts'
import { loadConfig } from '../server/config.ts'
import { buildWhatIsStale } from './build.ts'
import { chromiumSwitches, headlessPath } from './chromium.ts'
import { password, seed } from './database/people.ts'
import { freePort } from './free-port.ts'
import { startPostgres } from './postgres/index.ts'

// `npm run screenshots -- [--language de] [--gallery] [PATTERN]`: takes pictures of the important pages by day and by
// night, on a phone and a desktop, into .data/screenshots/. A pattern chooses some by their names. With --gallery,
// those of the README go into docs/.

type Shot = { name: string; path: string; as?: 'ana' | 'ben' | 'zoe'; gallery?: 'light' | 'dark' }

const shotsWith = (invitation: string): Shot[] => [
  { name: 'home', path: '/' },
  { name: 'sign-in', path: '/sign_in' },
  { name: 'sign-up', path: '/sign_up', gallery: 'dark' },
  { name: 'sign-up-invited', path: `/sign_up?invitation=${invitation}` },
  { name: 'invitation', path: `/invitations/${invitation}` },
  { name: 'invitation-for-another', path: `/invitations/${invitation}`, as: 'zoe' },
  { name: 'forgot', path: '/identity/password_reset/new' },
  { name: 'reset-stale', path: '/identity/password_reset/edit?sid=stale' },
  { name: 'overview-new', path: '/zoe', as: 'zoe' },
  { name: 'overview', path: '/acme', as: 'ana', gallery: 'light' },
  { name: 'members', path: '/acme/members', as: 'ana', gallery: 'light' },
  { name: 'members-as-member', path: '/acme/members', as: 'ben' },
  { name: 'account-activity', path: '/acme/activity', as: 'ana' },
  { name: 'account-settings', path: '/acme/settings', as: 'ana' },
  { name: 'new-account', path: '/accounts/new', as: 'ana' },
  { name: 'profile', path: '/settings/profile', as: 'ana' },
  { name: 'email-unverified', path: '/settings/email', as: 'zoe' },
  { name: 'password', path: '/settings/password', as: 'ana' },
  { name: 'security-off', path: '/settings/security', as: 'ana' },
  { name: 'security-on', path: '/settings/security', as: 'ben', gallery: 'dark' },
  { name: 'sessions', path: '/settings/sessions', as: 'ben' },
  { name: 'activity', path: '/settings/activity', as: 'ana' },
  { name: 'appearance', path: '/settings/appearance', as: 'ana' },
  { name: 'not-found', path: '/nowhere-at-all', as: 'ana' },
]

const { values, positionals } = parseArgs({
  options: { language: { type: 'string', default: 'en' }, gallery: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const root = fileURLToPath(new URL('../', import.meta.url))
const folder = join(root, '.data/screenshots', values.language)
const data = await mkdtemp(join(tmpdir(), 'accounts-screenshots-'))
const ends = [() => rm(data, { recursive: true })]
await takeAll().finally(async () => {
  for (const end of ends.reverse()) await end()
})

async function takeAll() {
  await Promise.all([buildWhatIsStale(), mkdir(folder, { recursive: true })])
  const { app, origin } = await startApp()
  const shots = shotsWith(await seed(app)).filter(({ name }) => new RegExp(positionals[0] ?? '').test(name))
  await app.db.update(users).set({ language: values.language })
  const browser = await chromium.launch({ executablePath: headlessPath, args: chromiumSwitches })
  ends.push(() => browser.close())
  for (const as of [undefined, 'ana', 'ben', 'zoe'] as const) {
    const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce' })
    await context.addCookies([{ name: 'language', value: values.language, url: origin }])
    const page = await context.newPage()
    if (as) await signIn(page, as)
    if (as === 'ben') await app.db.update(users).set({ secondFactorAt: new Date() }).where(eq(users.name, 'Ben Okafor'))
    for (const shot of shots.filter((shot) => shot.as === as)) {
      await app.db.execute(sql`delete from rate_limits`) // so many pages are more than a person may ask for
      for (const width of [360, 1440]) await take(shot, width, page)
      console.log(shot.name)
    }
  }
}

async function signIn(page: Page, name: string) {
  await page.goto('/sign_in')
  while (!(await page.evaluate('window.isStarted'))) await page.waitForTimeout(50)
  await page.locator('[name=email]').fill(`${name}@example.com`)
  await page.locator('[name=password]').fill(password)
  await page.locator('[name=password]').press('Enter')
  await page.waitForURL(/^(?!.*sign_in)/)
}

async function startApp() {
  const postgres = await startPostgres({ folder: join(data, 'postgres') })
  ends.push(postgres.stop)
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const secret = 'a secret of pictures, which is long enough to be one: 64 characters and more'
  const made = { HOST: origin, DATABASE_URL: postgres.url, SECRET_KEY_BASE: secret, SSR_ENABLED: 'true' }
  const config = loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', PORT: String(port), ...made })
  await migrate(config.database.direct, () => {})
  const app = await buildApp(config)
  ends.push(() => app.close())
  await app.listen({ port, host: 'localhost' })
  return { app, origin }
}

async function take({ name, path, gallery }: Shot, width: number, page: Page) {
  await page.setViewportSize({ width, height: width < 600 ? 740 : 900 })
  await page.goto(path, { waitUntil: 'networkidle' })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))')
    await writeFile(`${folder}/${name}-${colorScheme}-${width}.png`, await page.screenshot({ fullPage: true }))
    if (!values.gallery || width < 600 || colorScheme !== gallery) continue
    const cdp = await page.context().newCDPSession(page)
    const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
    await writeFile(`${root}docs/${name}.webp`, Buffer.from(data, 'base64'))
  }
}
