import { eq } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { buildApp } from '../app.ts'
import { migrate, migrateQueue } from '../drizzle/migrate.ts'
import { accounts, users } from '../drizzle/schema.ts'
import { loadConfig } from '../server/config.ts'
import { buildWhatIsStale } from './build.ts'
import { freePort } from './free-port.ts'
import { fillAccount, fillMember } from './people.ts'
import { startPostgres } from './postgres.ts'

export const password = 'correct horse battery'

type Cookies = Record<string, Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['cookies']>>>

/** The application as deployed, with people, on its own database. */
export async function startWorld(folder: string) {
  await buildWhatIsStale()
  const postgres = await startPostgres({ folder })
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
  await migrateQueue(config.queue.address, console.log, config.queue.profile)
  const app = await buildApp(config)
  await app.listen({ port, host: 'localhost' })

  /** Creates an account with members of every role, a user with a second factor, and one who has just signed up. */
  async function populate(browser: Browser) {
    const cookies: Cookies = {}
    const ana = await signUp('Ana García', 'ana@example.com')
    await app.db.update(users).set({ verified: true })
    await ana.goto('/accounts/new')
    await ana.getByLabel('Name', { exact: true }).fill('Acme')
    await ana.getByRole('button', { name: 'Create account' }).click()
    await ana.waitForURL('/acme')
    const zed = await signUp('Zed', 'zed@example.com')
    const ben = await signUp('Ben Okafor', 'ben@example.com')
    await turnOnSecondFactor(ben)
    await app.db.update(users).set({ verified: true }).where(eq(users.email, 'ben@example.com'))
    for (const [as, page] of Object.entries({ owner: ana, new: zed, member: ben })) {
      cookies[as] = (await page.context().cookies()).filter(({ name }) => name !== 'flash')
    }

    const [account] = await app.db.select().from(accounts).where(eq(accounts.slug, 'acme'))
    const people = await app.db.select().from(users).orderBy(users.id)
    const idOf = (email: string) => people.find((person) => person.email === email)?.id ?? 0
    const token = await fillAccount(app, account?.id ?? 0, idOf('ana@example.com'), idOf('ben@example.com'))
    await fillMember(app, idOf('ben@example.com'))
    return { token, cookies }

    async function signUp(name: string, email: string) {
      const page = await (await browser.newContext({ baseURL: origin })).newPage()
      await page.goto('/sign_up')
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByLabel('Password confirmation').fill(password)
      await page.getByRole('button', { name: 'Sign up' }).click()
      await page.getByRole('navigation', { name: 'Account' }).waitFor()
      return page
    }
  }

  async function end() {
    await app.close()
    await postgres.stop()
  }

  return { app, origin, populate, end }
}

async function turnOnSecondFactor(page: Page) {
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Current password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '')
  await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate())
  await page.getByRole('button', { name: 'I have kept them' }).click()
}
