import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { accounts, users } from '../../drizzle/schema.ts'
import {
  emptyActivity,
  fillLong,
  invite,
  longEmail,
  longName,
  oneActivity,
  outlive,
  requireFactor,
} from './extremes.ts'
import { addPasskey, fillAccount, fillMember } from './people.ts'

export const password = 'correct horse battery'

type Cookies = Record<string, Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['cookies']>>>

/** Signs people up, with and without a second factor, history and company. */
export async function populate(browser: Browser, app: FastifyInstance, origin: string) {
  const cookies: Cookies = {}
  const ana = await signUp('Ana García', 'ana@example.com')
  await app.db.update(users).set({ verified: true })
  await ana.goto('/accounts/new')
  await ana.getByLabel('Name', { exact: true }).fill('Acme')
  await ana.getByRole('button', { name: 'Create workspace' }).click()
  await ana.waitForURL('/acme')
  const zed = await signUp('Zed', 'zed@example.com')
  const ben = await signUp('Ben Okafor', 'ben@example.com')
  await app.db.update(users).set({ verified: true }).where(eq(users.email, 'ben@example.com'))
  await turnOnSecondFactor(ben)
  const [quiet, away, long] = [
    await signUp('Quiet', 'quiet@example.com'),
    await signUp('Away', 'away@example.com'),
    await signUp(longName, longEmail),
  ]
  await app.db.update(users).set({ verified: true }).where(eq(users.email, 'quiet@example.com'))
  for (const [as, page] of Object.entries({ owner: ana, new: zed, member: ben, quiet, away, long })) {
    cookies[as] = (await page.context().cookies()).filter(({ name }) => name !== 'flash')
  }

  const people = await app.db.select().from(users)
  const places = await app.db.select().from(accounts)
  const idOf = (email: string) => people.find((person) => person.email === email)?.id ?? 0
  const accountOf = (name: string) => places.find((account) => account.name === name)?.id ?? 0
  const token = await fillAccount(app, accountOf('Acme'), idOf('ana@example.com'), idOf('ben@example.com'))
  await fillMember(app, idOf('ben@example.com'))
  await fillLong(app, idOf(longEmail), accountOf(longName))
  await emptyActivity(app, idOf('quiet@example.com'), accountOf('Quiet'))
  await addPasskey(app, idOf('quiet@example.com'))
  await oneActivity(app, idOf('zed@example.com'))
  await outlive(app, idOf('away@example.com'))
  await requireFactor(app, idOf('zed@example.com'))
  await app.db.transaction((tx) => app.mail.queue(tx, 'password_changed', { userId: idOf('ben@example.com') }))
  const invited = await invite(app, idOf('ana@example.com'), 'zed@example.com')
  return { cookies, tokens: { guest: token, ...invited } }

  async function signUp(name: string, email: string) {
    const page = await (await browser.newContext({ baseURL: origin })).newPage()
    await page.goto('/sign_up')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Password confirmation').fill(password)
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByRole('navigation', { name: 'Workspace' }).waitFor()
    return page
  }
}

/** Asks for the mails that pictures are taken of. */
export async function askForMail(browser: Browser, origin: string) {
  const page = await (await browser.newContext({ baseURL: origin })).newPage()
  await page.goto('/identity/password_reset/new')
  await page.getByLabel('Email').fill('ana@example.com')
  await page.getByRole('button', { name: 'Send reset instructions' }).click()
  await page.waitForURL('/sign_in')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation', { name: 'Workspace' }).waitFor()
  await page.goto('/ana-garcia/members')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Emails').fill('eve@example.com')
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await page.getByText('Invitation sent to eve@example.com').waitFor()
  await page.context().close()
}

async function turnOnSecondFactor(page: Page) {
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Current password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '')
  const kept = page.getByRole('button', { name: "I've saved them" })
  const type = () => page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate())
  await type()
  // On a busy machine, a code may be over before it arrives.
  await kept.waitFor({ timeout: 10_000 }).catch(type)
  await kept.click()
}
