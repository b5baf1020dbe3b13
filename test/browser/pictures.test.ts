import t from 'tap'
import { pictures } from '../../drizzle/tables/pictures.ts'
import { startAcme } from '../helpers/people.ts'
import { noise } from '../helpers/pictures.ts'
import { checkAll } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { openLive } from './steps.ts'

const { app, db, open } = await startBrowser(t)

t.test('a picture is chosen, moved and zoomed by keyboard, sent small, and seen at once', { skip }, async (t) => {
  const { owner, join } = await startAcme(app)
  const member = await join('member')
  const other = await open({ as: member.browser })
  await openLive(other, '/acme/members')
  const page = await open({ as: owner.browser })
  const tab = await open({ as: owner.browser })
  await openLive(tab, '/acme')
  await page.goto('/settings/profile')

  const buffer = await noise({ width: 2_000, height: 1_500 }).jpeg().toBuffer()
  const file = { name: 'photo.png', mimeType: 'application/octet-stream', buffer }
  await page.getByLabel('Picture', { exact: true }).setInputFiles(file)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Crop area' }).focus()
  await page.keyboard.press('+')
  await page.keyboard.press('ArrowLeft')
  t.equal(await dialog.getByLabel('Zoom').inputValue(), '1.1')
  await checkAll(t, page, 'the dialog')
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await dialog.getByRole('button', { name: 'Update picture' }).click()
  t.ok(Number(await (await sent).headerValue('content-length')) < 400_000)
  await page.getByText('Your picture has been updated').waitFor()
  await dialog.waitFor({ state: 'detached' })
  const [stored] = await db.select().from(pictures)
  const src = `/pictures/${stored?.key}.webp`
  t.equal(await page.getByRole('img', { name: 'Your picture' }).getAttribute('src'), src)
  await checkAll(t, page, 'with a picture')
  await tab.locator(`.user-button img[src="${src}"]`).waitFor()
  await other.locator(`.people img[src="${src}"]`).waitFor()

  await page.getByRole('button', { name: 'Remove picture' }).click()
  await page.getByText('Your picture has been removed').waitFor()
  await page.getByRole('img', { name: 'Your picture' }).waitFor({ state: 'detached' })
  t.same(await db.select().from(pictures), [])
})
