import type { Page } from 'playwright-core'
import t from 'tap'
import { invitations, memberships, users } from '../../drizzle/schema.ts'
import { password, startAcme, tokenOf } from '../helpers/people.ts'
import { skip, startBrowser } from './chromium.ts'

const { app, db, open } = await startBrowser(t)

t.test('a person joins by invitation, and manages nobody', { skip }, async (t) => {
  const { app, db, open } = await startBrowser(t, { SSR_ENABLED: 'true' })
  const { owner } = await startAcme(app)
  const ana = await open({ as: owner.browser })
  await ana.goto('/acme')
  t.equal(await ana.locator('.heading-lead bdi').innerText(), '/acme')
  await tab(ana, 'Members').click()
  await ana.waitForURL('/acme/members')

  await ana.getByRole('button', { name: 'Invite' }).click()
  await ana.getByLabel('Emails').fill(`${owner.person.email},  Ben@Example.com`)
  await ana.getByRole('button', { name: 'Send invitations' }).click()
  await ana.getByText(`${owner.person.email}: This is your own address`).waitFor()
  await ana.getByText('Invitation sent to ben@example.com').waitFor()
  t.equal(await ana.getByLabel('Emails').inputValue(), owner.person.email, 'what was refused is there to be mended')
  await ana.getByRole('button', { name: 'Cancel' }).click()
  await ana.getByRole('button', { name: 'Revoke the invitation for ben@example.com' }).waitFor()

  const [invitation] = await db.select().from(invitations)
  const ben = await open()
  await ben.goto(`/invitations/${await tokenOf(app, invitation?.id ?? 0)}`)
  await ben.getByRole('heading', { name: `${owner.person.name} invited you to Acme` }).waitFor()

  // The invitation survives every detour.
  await ben.getByRole('link', { name: 'Sign in', exact: true }).click()
  await ben.getByRole('link', { name: 'Forgot your password?' }).click()
  await ben.getByRole('link', { name: 'Sign in', exact: true }).click()
  await ben.getByRole('link', { name: 'Sign up' }).click()
  await ben.getByRole('heading', { name: 'Sign up' }).waitFor()
  t.equal(await ben.getByText('Join Acme').count(), 1)
  t.equal(await ben.getByLabel('Email').inputValue(), 'ben@example.com')
  await ben.getByLabel('Name', { exact: true }).fill('Ben')
  await ben.getByLabel('Password', { exact: true }).fill(password)
  await ben.getByRole('button', { name: 'Sign up' }).click()
  await ben.getByText('Password confirmation is missing').waitFor()
  await ben.getByLabel('Password confirmation').fill(password)
  await ben.getByRole('button', { name: 'Sign up' }).click()
  await ben.waitForURL('/acme')
  await ben.getByText('Welcome! You have signed up successfully').waitFor()

  await tab(ben, 'Members').click()
  await row(ben, 'ben@example.com').getByText('you', { exact: true }).waitFor()
  t.equal(await ben.getByRole('button', { name: /^Invite|^Actions for (?!Ben)/ }).count(), 0, 'a member manages nobody')
  await tab(ben, 'Settings').click()
  await ben.getByText('Its owners and admins can change it').waitFor()
  t.equal(await ben.locator('form').count(), 0)
})

t.test('a long member list grows in place, and stays loaded when it changes', { skip }, async (t) => {
  const { owner, account, path } = await startAcme(app)
  const people = Array.from({ length: 60 }, (_, n) => ({
    name: `Member ${n + 1}`,
    email: `member-${n + 1}@example.com`,
  }))
  const crowd = await db.insert(users).values(people).returning()
  const member = { accountId: account.id, role: 'member' as const }
  await db.insert(memberships).values(crowd.map(({ id }) => ({ ...member, userId: id })))
  const page = await open({ as: owner.browser })
  await page.goto(`${path}/members`)
  const rows = page.getByRole('region', { name: 'Members' }).locator('[data-row]')
  await rows.first().waitFor()
  t.equal(await rows.count(), 50)

  await page.getByRole('button', { name: 'Load more' }).press('Enter')
  await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' })
  t.equal(await rows.count(), 61)
  t.equal(new URL(page.url()).search, '')
  await rows.nth(50).and(page.locator(':focus')).waitFor() // the focus moves to the first new row

  const alert = page.getByRole('alertdialog')
  await page.getByRole('button', { name: 'Actions for Member 60' }).click()
  await page.getByRole('menuitemradio', { name: /^Owner/ }).click()
  await alert.getByRole('button', { name: 'Make owner' }).click()
  await page.getByRole('row', { name: 'Member 60' }).getByRole('cell', { name: 'Owner', exact: true }).waitFor()
  t.equal(await rows.count(), 61)
  await page.getByRole('button', { name: 'Actions for Member 59' }).click()
  await page.getByRole('menuitem', { name: 'Remove from workspace…' }).click()
  await alert.getByRole('button', { name: 'Remove' }).click()
  await row(page, 'member-59@example.com').waitFor({ state: 'detached' })
  t.equal(await rows.count(), 60)

  await tab(page, 'Settings').click()
  await page.getByLabel('Name', { exact: true }).waitFor()
  await page.goBack()
  await rows.nth(59).waitFor()
  t.equal(await rows.count(), 60, 'and after going back')
})

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name })
const row = (page: Page, email: string) =>
  page.getByRole('region', { name: 'Members' }).locator('[data-row]').filter({ hasText: email })
