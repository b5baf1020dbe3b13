import { eq } from 'drizzle-orm'
import t from 'tap'
import { invitations, users } from '../../drizzle/schema.ts'
import { startAcme } from '../helpers/accounts.ts'
import { password, signedUp } from '../helpers/people.ts'
import { skip, startBrowser } from './chromium.ts'
import { holdLine } from './steps.ts'

t.test('on a slow line', { skip }, async (t) => {
  const { app, db, open } = await startBrowser(t)
  const { owner, join, account } = await startAcme(app)

  await t.test('what began before another change is shown with it', async (t) => {
    const [one, two] = [await join('member'), await join('member')]
    const page = await open({ as: owner.browser })
    await page.goto('/acme/members')
    await page.getByRole('button', { name: `Remove ${one.person.name}`, exact: true }).hover()
    const sent = await holdLine(page)
    for (const { person } of [one, two]) {
      await page.getByRole('button', { name: `Remove ${person.name}`, exact: true }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    }
    t.equal(sent(), 2)
    for (const { person } of [one, two]) await page.getByText(person.email).waitFor({ state: 'detached' })
  })

  await t.test('whoever leaves while invitations are sent stays where they went', async (t) => {
    const page = await open({ as: owner.browser })
    await page.goto('/acme/members')
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite people' })
    await dialog.getByLabel('Emails').fill('n0@example.com n1@example.com n2@example.com n3@example.com')
    const sent = await holdLine(page)
    await dialog.getByRole('button', { name: 'Send invitations' }).click()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Settings' }).click()
    await page
      .getByRole('button', { name: 'Rename' })
      .or(page.getByLabel('Name', { exact: true }))
      .first()
      .waitFor()
    await page.waitForLoadState('networkidle')
    t.equal(new URL(page.url()).pathname, '/acme/settings')
    t.ok(sent() < 4, 'the others are not sent without anybody seeing it')
    t.ok((await db.$count(invitations, eq(invitations.accountId, account.id))) < 4)
  })

  await t.test('a change ends a search, and shows the whole list again', async () => {
    for (let count = 0; count < 11; count++) await join('member')
    const wanted = await join('member')
    const page = await open({ as: owner.browser })
    await page.goto('/acme/members')
    await page.getByLabel('Search by name or email').fill(wanted.person.email)
    await page.getByText('1 found').waitFor()
    await page.getByRole('button', { name: `Role of ${wanted.person.name}: Member` }).click()
    await page.getByRole('menuitemradio', { name: /^Admin/ }).click()
    await page.getByText(`${wanted.person.name} is an admin now`).waitFor()
    await page.getByRole('region', { name: 'Members' }).getByText(owner.person.email).waitFor()
    await page.getByRole('button', { name: `Role of ${wanted.person.name}: Admin` }).waitFor()
  })

  await t.test('what is being deleted is not taken back by closing the dialog', async (t) => {
    const ana = await signedUp(app)
    const page = await open({ as: ana.browser })
    await page.goto('/settings/profile')
    await page.getByRole('button', { name: 'Delete your account' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Current password', { exact: true }).fill(password)
    await holdLine(page)
    await dialog.getByRole('button', { name: 'Delete your account' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Cancel' }).click({ force: true })
    t.equal(await dialog.count(), 1, 'it stays until there is an answer')
    await page.getByText('Your account has been deleted').waitFor()
    t.equal(await db.$count(users, eq(users.id, ana.user.id)), 0)
  })
})
