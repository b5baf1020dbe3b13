import t from 'tap'
import { translate } from '../../plugins/languages/translate.ts'
import { checkAll } from './axe.ts'
import { sharedBrowser, skip } from './chromium.ts'
import { walk } from './walk.ts'

t.test('a person signs up, signs out and in again, with server rendering and in Arabic', { skip }, async (t) => {
  const { app, open } = await sharedBrowser(t, { SSR_ENABLED: 'true' })
  const page = await open({ expects: [409] }) // a page in another language is loaded anew
  await page.goto('/')
  await page.locator('.site-header summary').click()
  await page.getByRole('button', { name: 'العربية' }).click()
  await page.locator('html[dir=rtl][lang=ar]').waitFor()
  const arabic = app.languageOf('ar')
  await walk(t, page, arabic)
  await checkAll(t, page, 'the overview')
  await page.goto('/identity/password_reset/edit?sid=stale')
  const expired = translate(arabic, 'That link was already used or has expired. Ask for a new one here.', {})
  await page.getByText(expired).waitFor()
  await page.getByLabel(translate(arabic, 'Email', {}), { exact: true }).fill('bianca@')
  const style = `(({ direction, textAlign }) => [direction, textAlign])(getComputedStyle(document.forms[0].email))`
  t.same(await page.evaluate(style), ['ltr', 'right'], 'an address begins where the page does, and ends in its @')
})
