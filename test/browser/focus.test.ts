import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { invitations } from '../../drizzle/schema.ts'
import { startAcme, verify } from '../helpers/people.ts'
import { skip, startBrowser } from './chromium.ts'
import { comesTrue } from './steps.ts'

const { app, db, open } = await startBrowser(t)

t.test('the focus is never lost after dialogs and forms, on any page', { skip }, async (t) => {
  const { owner, join, account, path } = await startAcme(app)
  await join('member')
  await verify(db, owner.user.id)
  await inviteTwo(account.id)
  const page = await open({ as: owner.browser })
  const settings = ['profile', 'email', 'password', 'security', 'sessions', 'activity', 'appearance']
  const ofAccount = ['', '/members', '/members#invitations', '/activity', '/settings'].map((rest) => path + rest)
  let walked = 0
  for (const url of [...ofAccount, ...settings.map((name) => `/settings/${name}`), '/accounts/new']) {
    await page.goto('about:blank')
    await page.goto(url)
    for (const walk of [walkMenus, walkDialogs, walkForms]) walked += await walk(t, page, url)
  }
  t.ok(walked > 15, `walked ${walked}`)
})

t.test('the focus stays near what an action takes away', { skip }, async (t) => {
  const { owner, account, path } = await startAcme(app)
  await inviteTwo(account.id)
  const page = await open({ as: owner.browser })
  await page.goto(`${path}/members#invitations`)
  const askToRevoke = async () => {
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .press('Enter')
    await page.getByRole('menuitem', { name: 'Revoke' }).press('Enter')
  }
  await askToRevoke()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).press('Enter')
  await page.getByRole('tab', { name: 'Invitations', selected: true }).waitFor()
  await page.locator('[data-row]:focus').filter({ hasText: 'one@example.com' }).waitFor()
  await askToRevoke()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).press('Enter')
  await page.getByText('No pending invitations').waitFor()
  t.ok(await isFocused(page), 'the last one')

  for (const fragment of ['invite', 'other', 'invite']) await page.evaluate(`location.hash = '${fragment}'`)
  await page.getByRole('dialog', { name: 'Invite people' }).waitFor()
})

async function inviteTwo(accountId: number) {
  const common = { accountId, role: 'member' as const, expiresAt: new Date(Date.now() + 86_400_000) }
  await db.insert(invitations).values(['one', 'two'].map((name) => ({ ...common, email: `${name}@example.com` })))
}

/** Opens each menu by keyboard, goes through it, and leaves it. */
async function walkMenus(t: Test, page: Page, url: string) {
  const triggers = page.locator('main button[aria-haspopup="menu"]:visible')
  const count = await triggers.count()
  for (let n = 0; n < count; n++) {
    await triggers.nth(n).press('Enter')
    const menu = page.getByRole('menu')
    await menu.waitFor()
    await page.keyboard.press('ArrowDown')
    t.ok(await isFocused(page), `${url}: menu ${n}, open`)
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    t.ok(await isFocused(page), `${url}: menu ${n}, left`)
  }
  return count
}

/** Opens each dialog by keyboard, sends what it holds as it is, and leaves it. */
async function walkDialogs(t: Test, page: Page, url: string) {
  const triggers = page.locator('main button[aria-haspopup="dialog"]:visible')
  const count = await triggers.count()
  for (let n = 0; n < count; n++) {
    const name = `${url}: ${await triggers.nth(n).innerText()}`
    await triggers.nth(n).press('Enter')
    const dialog = page.locator('[role$="dialog"]:visible').last()
    await dialog.waitFor()
    t.ok(await isFocused(page), `${name}, open`)
    const submit = dialog.locator('[type=submit]:visible')
    if ((await submit.count()) > 0) {
      await submit.press('Enter') // nothing is filled in
      t.ok(await isFocused(page), `${name}, refused`)
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    t.ok(await isFocused(page), `${name}, left`)
  }
  return count
}

/** Sends each form as it is. */
async function walkForms(t: Test, page: Page, url: string) {
  const buttons = page.locator('main form [type=submit]:visible')
  const count = await buttons.count()
  for (let n = 0; n < count; n++) {
    await buttons.nth(n).press('Enter')
    await page.waitForLoadState('networkidle')
    t.ok(await isFocused(page), `${url}: form ${n}`)
  }
  return count
}

/** Whether an element gets the focus, now or soon. */
const isFocused = (page: Page) =>
  comesTrue(page, 'document.activeElement !== document.body').then(
    () => true,
    () => false,
  )
