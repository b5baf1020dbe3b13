import t from 'tap'
import { translate } from '../../plugins/languages/translate.ts'
import { checkAll } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { walk } from './walk.ts'

for (const ssr of ['false', 'true']) {
  t.test(`a person signs up, signs out and in again, with SSR_ENABLED=${ssr}`, { skip }, async (t) => {
    const { open } = await startBrowser(t, { SSR_ENABLED: ssr })
    await walk(t, await open())
  })
}

t.test('a person signs up, signs out and in again, in Arabic', { skip }, async (t) => {
  const { app, open } = await startBrowser(t, { SSR_ENABLED: 'true' })
  const page = await open({ expects: [409] }) // a page in another language is loaded anew
  await page.goto('/')
  await page.locator('summary').click()
  await page.getByRole('button', { name: 'العربية' }).click()
  await page.locator('html[dir=rtl][lang=ar]').waitFor()
  const arabic = app.languageOf('ar')
  const say = (text: string, values = {}) => translate(arabic, text, values)
  await walk(t, page, arabic)
  await checkAll(t, page, 'the overview')
  await page.goto('/identity/password_reset/edit?sid=stale')
  await page.getByText(say('That link was already used or has expired. Ask for a new one here.')).waitFor()
})

t.test('the server sends a form only with SSR, and one that is not sent before its script', { skip }, async (t) => {
  for (const ssr of ['false', 'true']) {
    const { app } = await startBrowser(t, { SSR_ENABLED: ssr })
    const agent = { 'user-agent': 'Mozilla/5.0 Chrome/140.0.0.0 Safari/537.36' }
    const { body } = await app.inject({ url: '/sign_in', headers: agent })
    t.equal(body.includes('<form'), ssr === 'true')
    t.equal(body.match(/<title/g)?.length, 1)
    if (ssr === 'true') {
      t.match(body, /<form[^>]*method="post"/)
    }
  }
})
