import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { workspaceTokens } from '../../drizzle/tables/workspace-tokens.ts'
import { acmeWithTokens } from '../helpers/workspace-tokens.ts'
import { checkAll } from './axe.ts'
import { sharedBrowser, skip } from './chromium.ts'
import { confirm } from './steps.ts'

t.test('a manager makes a token of the workspace, sees it once, and revokes it', { skip }, async (t) => {
  const { app, open } = await sharedBrowser(t)
  const { owner, url } = await acmeWithTokens(app)
  const page = await open({ as: owner.browser })
  await page.goto(url)
  await page.getByText('There are no tokens yet.').waitFor()
  await checkAll(t, page, 'no tokens')
  await page.getByRole('button', { name: 'Create a token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('CI')
  await dialog.getByRole('radio', { name: 'Admin' }).check()
  await checkAll(t, page, 'a new token')
  await confirm(page, 'Create a token')
  await page.locator('h2:focus', { hasText: 'Your new token' }).waitFor()
  t.match(await page.locator('.copy-once').first().innerText(), /acwt_\w{36}/)
  await page.getByText(`made by ${owner.person.name}`).waitFor()
  await checkAll(t, page, 'a token')
  await page.reload()
  await page.getByRole('button', { name: 'Actions for CI' }).waitFor()
  t.equal(await page.getByText('acwt_').count(), 0, 'once')

  await page.getByRole('button', { name: 'Actions for CI' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('There are no tokens yet.').waitFor()
})

t.test('blocked and orphaned ones fit on a small phone, in each language', { skip }, async (t) => {
  const { app, db, open } = await sharedBrowser(t)
  const { owner, account, url, create, joinVerified } = await acmeWithTokens(app)
  const [suspended, demoted] = [await joinVerified('admin'), await joinVerified('admin')]
  for (const maker of [owner, suspended, demoted]) await create(maker, { name: 'Donaudampfschifffahrtsgesellschaft' })
  await db.update(users).set({ suspendedAt: app.now() }).where(eq(users.id, suspended.user.id))
  await demoted.browser.submit('DELETE', `/${account.slug}/members/${demoted.membershipId}`)
  await db.update(workspaceTokens).set({ lastUsedAt: app.now() }).where(eq(workspaceTokens.accountId, account.id))
  const page = await open({ as: owner.browser, viewport: { width: 320, height: 640 }, hasTouch: true })
  for (const language of app.languages.keys()) {
    await db.update(users).set({ language }).where(eq(users.id, owner.user.id))
    await page.goto(url)
    t.equal(await page.locator('html').getAttribute('lang'), language)
    t.equal(await page.locator('.token-ends').count(), 2, 'why each of them does less')
    const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth')
    t.ok(await fits(), language)
    await page
      .getByRole('button')
      .filter({ has: page.locator('.lucide-plus') })
      .click()
    await page.getByRole('dialog').waitFor()
    t.ok(await fits(), `a new token in ${language}`)
  }
  await page.reload()
  await checkAll(t, page, 'blocked and orphaned tokens')
})
