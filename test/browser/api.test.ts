import t from 'tap'
import { apiTokens } from '../../drizzle/tables/api.ts'
import { withSecondFactor } from '../helpers/second-factor.ts'
import { checkAll } from './axe.ts'
import { sharedBrowser, skip } from './chromium.ts'
import { confirm, enter, signOut } from './steps.ts'

t.test('a person makes a token, and trusts a browser', { skip }, async (t) => {
  const { app, open, clock } = await sharedBrowser(t)
  const { browser, person, user, slug, code } = await withSecondFactor({ app, clock })
  const page = await open({ as: browser, permissions: ['clipboard-read', 'clipboard-write'] })

  await page.goto('/settings/tokens')
  await checkAll(t, page, 'no tokens')
  const create = page.getByRole('button', { name: 'Create a token' })
  await create.click()
  await page.getByRole('dialog').getByLabel('Name').fill('CI')
  await checkAll(t, page, 'a new token')
  await confirm(page, 'Create a token')
  await page.getByRole('heading', { name: 'Your new token' }).waitFor()
  await checkAll(t, page, 'a token')
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByText('The token is copied').waitFor()
  const token = String(await page.evaluate('navigator.clipboard.readText()'))
  t.match(token, /^acct_/)
  await page.getByRole('button', { name: 'Copy the command' }).click()
  await page.getByText('The command is copied').waitFor()
  t.match(await page.evaluate('navigator.clipboard.readText()'), `/api/v1/me" -H "Authorization: Bearer ${token}"`)

  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'Actions for CI' }).last().click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Roll')
  await confirm(page, 'Roll')
  await page.getByText(/Expires in (1 hour|\d+ minutes)/).waitFor()
  t.not(await page.locator('.copy-once').first().innerText(), token)
  await page.locator('h2:focus', { hasText: 'Your new token' }).waitFor()
  await checkAll(t, page, 'a rolled token')
  for (let left = 2; left > 0; left--) {
    await choose('Revoke')
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page
      .getByRole('button', { name: 'Actions for CI' })
      .nth(left - 1)
      .waitFor({ state: 'detached' })
  }
  await page.getByText('You have no tokens yet').waitFor()

  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  const shared = { userId: user.id, scope: 'read' as const, hasSecondFactor: true }
  const twenty = Array.from({ length: 20 }, (_, n) => ({ name: `CI ${n}`, digest: `${n}`, expiresAt: inDays(n || -1) }))
  await app.db.insert(apiTokens).values(twenty.map((one) => ({ ...shared, ...one })))
  await page.reload()
  await page.getByText('Expired').waitFor()
  t.ok(await create.isEnabled(), 'an expired token takes the place of no other')
  await app.db.update(apiTokens).set({ expiresAt: inDays(1) })
  await page.reload()
  await page.getByText('You have 20 tokens already').waitFor()
  t.ok(await create.isDisabled())

  await signOut(page)
  await enter(page, { email: person.email })
  await page.waitForURL('/sign_in/verify')
  t.match(await page.locator('.form').innerText(), /Code.*Trust this browser.*Sign in/s)
  await page.getByLabel('Trust this browser for 30 days').check()
  await page.getByLabel('Code', { exact: true }).fill(await code())
  await page.getByText('Signed in successfully').waitFor()
  await signOut(page)
  await enter(page, { email: person.email })
  await page.waitForURL(`/${slug}`)
  await page.goto('/settings/security')
  await page.getByText('1 browser signs in without a second step').waitFor()
  await checkAll(t, page, 'a trusted browser')
  await page.getByRole('button', { name: 'Forget all' }).click()
  await page.getByText('Trusted browsers forgotten').waitFor()
})
