import t from 'tap'
import { startAcme, verifiedUp } from '../helpers/people.ts'
import { checkAll } from './axe.ts'
import { sharedBrowser, skip } from './chromium.ts'

t.test('a manager makes a link in the dialog and copies it, and somebody joins with it', { skip }, async (t) => {
  const { app, open } = await sharedBrowser(t)
  const { owner, path } = await startAcme(app)
  const page = await open({ as: owner.browser, permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`${path}/members`)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite people' })
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByRole('heading', { name: 'Your new invitation link' }).and(page.locator(':focus')).waitFor()
  await checkAll(t, page, 'inviting with a link')
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await dialog.getByText('The link is copied.').waitFor()
  const link = new URL(String(await page.evaluate('navigator.clipboard.readText()')))
  t.match(link.pathname, /^\/join\/[\w-]{43}$/)

  const other = await open({ as: (await verifiedUp(app)).browser })
  await other.goto(link.pathname)
  await checkAll(t, other, 'the page of a link')
  await other.getByRole('button', { name: 'Join' }).click()
  await other.getByText('Welcome to Acme').waitFor()
  await dialog.getByText('1 person joined').waitFor()
})
