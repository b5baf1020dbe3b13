import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Browser, chromium, type Page } from 'playwright-core'
import { buildApp } from '../app.ts'
import { migrate, migrateQueue } from '../drizzle/migrate.ts'
import { accounts, invitations, memberships, users } from '../drizzle/schema.ts'
import { mintInvitation } from '../features/accounts/invitations.ts'
import { loadConfig } from '../server/config.ts'
import { buildWhatIsStale } from './build.ts'
import { chromiumPath, chromiumSwitches } from './chromium.ts'
import { freePort } from './free-port.ts'
import { startPostgres } from './postgres.ts'

// `npm run screenshots [WORD]`: takes every page in light and dark mode, on a phone and a desktop, into
// .data/screenshots/. Those of README's gallery also go into docs/. With a word, only pages whose names contain it.

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = `${root}.data/screenshots/`
const only = process.argv[2] ?? ''
const password = 'correct horse battery'
const longName = 'Wilhelmina Featherstonehaugh-Cholmondeley of the Northern Territories'

type Shot = { name: string; path: string; as?: string; after?: (page: Page) => Promise<unknown>; gallery?: true }

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

const shots = (token: string): Shot[] => [
  { name: 'home', path: '/' },
  { name: 'sign-in', path: '/sign_in' },
  { name: 'sign-in-refused', path: '/sign_in', after: refusedSignIn },
  { name: 'sign-in-deep', path: '/acme/members' },
  { name: 'sign-up', path: '/sign_up', gallery: true },
  { name: 'sign-up-errors', path: '/sign_up', after: press('Sign up') },
  { name: 'sign-up-invited', path: `/sign_up?invitation=${token}` },
  { name: 'invitation', path: `/invitations/${token}` },
  { name: 'forgot', path: '/identity/password_reset/new' },
  { name: 'check-mail', path: '/identity/password_reset/new', after: forgetPassword },
  { name: 'overview-new', path: '/dashboard', as: 'new' },
  { name: 'overview', path: '/acme', as: 'owner' },
  { name: 'members', path: '/acme/members', as: 'owner', gallery: true },
  { name: 'members-alone', path: '/zed/members', as: 'new' },
  { name: 'members-none-found', path: '/acme/members?q=nobody', as: 'owner' },
  { name: 'members-as-member', path: '/acme/members', as: 'member' },
  { name: 'members-role', path: '/acme/members', as: 'owner', after: press(/^Role of .*: Member/) },
  { name: 'members-invite', path: '/acme/members', as: 'owner', after: inviteBadly },
  { name: 'members-remove', path: '/acme/members', as: 'owner', after: press(/^Remove/) },
  { name: 'account-settings', path: '/acme/settings', as: 'owner' },
  { name: 'account-settings-member', path: '/acme/settings', as: 'member' },
  { name: 'account-deletion', path: '/acme/settings', as: 'owner', after: press('Delete account') },
  { name: 'new-account', path: '/accounts/new', as: 'owner' },
  { name: 'switcher', path: '/acme', as: 'owner', after: press(/^Account:/) },
  { name: 'user-menu', path: '/acme', as: 'owner', after: press(/^Menu of/) },
  { name: 'profile', path: '/settings/profile', as: 'owner' },
  { name: 'profile-deletion', path: '/settings/profile', as: 'owner', after: press('Delete your profile') },
  { name: 'email', path: '/settings/email', as: 'new' },
  { name: 'password', path: '/settings/password', as: 'owner' },
  { name: 'sessions', path: '/settings/sessions', as: 'owner' },
  { name: 'appearance', path: '/settings/appearance', as: 'owner' },
  { name: '404', path: '/404.html' },
  { name: '500', path: '/500.html' },
]

await buildWhatIsStale()
await mkdir(folder, { recursive: true })
const data = await mkdtemp(join(tmpdir(), 'accounts-screenshots-'))
const postgres = await startPostgres({ folder: data })
const port = await freePort()
const origin = `http://localhost:${port}`
const config = loadConfig({
  NODE_ENV: 'test',
  HOST: origin,
  PORT: String(port),
  SECRET_KEY_BASE: 'a secret of pictures, which is long enough to be one: 64 characters and more',
  DATABASE_URL: postgres.url,
  LOG_LEVEL: 'silent',
  SSR_ENABLED: 'true',
  SSR_TIMEOUT_MS: '15000',
})
await migrate(config.database.direct, console.log)
await migrateQueue(config.queue.address, console.log)
const app = await buildApp(config)
await app.listen({ port, host: 'localhost' })
const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumSwitches })
try {
  const { token, cookies } = await populate(app, browser)
  for (const shot of shots(token).filter(({ name }) => name.includes(only))) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [360, 1440]) await take(shot, colorScheme, width, cookies)
    }
    console.log(shot.name)
  }
} finally {
  await browser.close()
  await app.close()
  await postgres.stop()
  await rm(data, { recursive: true, force: true })
}

type Cookies = Record<string, Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['cookies']>>>

async function take(
  { name, path, as, after, gallery }: Shot,
  colorScheme: 'light' | 'dark',
  width: number,
  cookies: Cookies,
) {
  const viewport = { width, height: width < 600 ? 740 : 900 }
  const context = await browser.newContext({ baseURL: origin, colorScheme, viewport, reducedMotion: 'reduce' })
  if (as) await context.addCookies(cookies[as] ?? [])
  const page = await context.newPage()
  await page.goto(path, { waitUntil: 'networkidle' })
  await after?.(page)
  await page.waitForTimeout(after ? 600 : 100)
  await writeFile(`${folder}${name}-${colorScheme}-${width}.png`, await page.screenshot())
  if (gallery && width > 600 && colorScheme === (name === 'sign-up' ? 'dark' : 'light')) {
    const cdp = await context.newCDPSession(page)
    const picture = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
    await writeFile(`${root}docs/${name}.webp`, Buffer.from(picture.data, 'base64'))
  }
  await context.close()
}

/** Creates an account with members of every role, and a user who has just signed up. */
async function populate(app: FastifyInstance, browser: Browser) {
  const cookies: Cookies = {}
  const signUp = async (as: string, name: string, email: string) => {
    const page = await (await browser.newContext({ baseURL: origin })).newPage()
    await page.goto('/sign_up')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Password confirmation').fill(password)
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByRole('navigation', { name: 'Account' }).waitFor()
    cookies[as] = (await page.context().cookies()).filter((cookie) => cookie.name !== 'flash')
    return page
  }
  const ana = await signUp('owner', 'Ana García', 'ana@example.com')
  await app.db.update(users).set({ verified: true })
  await ana.goto('/accounts/new')
  await ana.getByLabel('Name', { exact: true }).fill('Acme')
  await ana.getByRole('button', { name: 'Create account' }).click()
  await ana.waitForURL('/acme')
  await signUp('new', 'Zed', 'zed@example.com')
  await signUp('member', 'Ben Okafor', 'ben@example.com')

  const [account] = await app.db.select().from(accounts).where(eq(accounts.slug, 'acme'))
  const accountId = account?.id ?? 0
  const [ben] = await app.db.select().from(users).where(eq(users.email, 'ben@example.com'))
  const names = [
    '👩🏽‍🚀 Astra',
    'José Ángel',
    longName,
    'محمد أحمد',
    '王小明',
    'Dana',
    'Émile',
    'Fay Lin',
    'Gus',
    'Hana Kim',
  ]
  const people = names.map((name, index) => ({
    name,
    email:
      index === 2
        ? `${'wilhelmina.'.repeat(5)}featherstonehaugh@northern-territories.example`
        : `person-${index}@example.com`,
    passwordDigest: 'none',
  }))
  const rows = await app.db.insert(users).values(people).returning({ userId: users.id })
  await app.db.insert(memberships).values([
    { accountId, userId: ben?.id ?? 0, role: 'member' as const },
    ...rows.map(({ userId }, index) => ({
      accountId,
      userId,
      role: index % 4 === 0 ? ('admin' as const) : ('member' as const),
    })),
  ])
  const inviterId = (await app.db.select().from(users).where(eq(users.email, 'ana@example.com')))[0]?.id ?? 0
  const expiresAt = new Date(Date.now() + 5 * 86_400_000)
  const [invitation] = await app.db
    .insert(invitations)
    .values([
      { accountId, inviterId, email: 'cleo@example.com', role: 'admin', expiresAt },
      { accountId, inviterId, email: 'late@example.com', role: 'member', expiresAt: new Date('2026-01-01') },
    ])
    .returning()
  const minted = await mintInvitation(app, invitation?.id ?? 0, randomUUID())
  return { token: minted?.token ?? '', cookies }
}

async function refusedSignIn(page: Page) {
  await page.getByLabel('Email').fill('ana@example.com')
  await page.getByLabel('Password', { exact: true }).fill('wrong horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
}

async function forgetPassword(page: Page) {
  await page.getByLabel('Email').fill('ana@example.com')
  await page.getByRole('button', { name: 'Send reset instructions' }).click()
  await page.waitForURL('/sign_in')
}

async function inviteBadly(page: Page) {
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Emails').fill('ben@example.com, nobody, cleo@example.com')
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await page.getByText('This address is a member already').waitFor()
}
