import { readFile } from 'node:fs/promises'
import t from 'tap'
import { mailSign, name } from '../../brand/brand.ts'
import { day, night } from '../../brand/themes.ts'
import { textsIn } from '../../pages/translation/scan.ts'
import { startApp } from '../helpers/app.ts'
import { defineGreeting, greet } from '../helpers/greeting.ts'
import { startSmtp } from '../helpers/smtp.ts'

const unnamed = { APP_NAME: '', MAIL_FROM: '' }
const read = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), 'utf8')

t.test('front page, manifest, error pages and icon have the name, the colours and the sign', async (t) => {
  const { app } = await startApp(t, { ...unnamed, SSR_ENABLED: 'true', SSR_TIMEOUT_MS: '60000' })
  const { body } = await app.inject({ url: '/', headers: { accept: 'text/html' } })
  t.match(body, `>${name}</title>`)
  for (const { canvas } of [day, night]) t.match(body, `content="${canvas}"`)
  const [path = 'no path'] = /d="[^"]+"/.exec(await read('brand/sign.svg')) ?? []
  t.match(body, path)
  for (const { key } of textsIn(await read('brand/front-page.ts'))) {
    for (const part of key.split(/\{\w+\}|['"&<>]/)) t.ok(body.includes(part), part)
  }
  const manifest = { name, background_color: day.canvas, theme_color: day.accent }
  t.match((await app.inject('/manifest.webmanifest')).json(), manifest)
  const styles = (await app.inject('/error-pages.css')).body
  for (const { canvas, ink, accent } of [day, night])
    for (const colour of [canvas, ink, accent]) t.match(styles, colour)
  t.match((await app.inject('/icon.svg')).body, day.mark)
})

t.test('a mail comes from the name, in the colours of day and night', async (t) => {
  const smtp = await startSmtp(t)
  const { app } = await startApp(t, { ...smtp.environment, ...unnamed })
  defineGreeting(app)
  await app.jobs.startWorkers()
  await greet(app)
  const { from, html } = await smtp.next()
  t.equal(from?.name, name)
  for (const part of [`>${name}</a>`, mailSign, day.accent, night.accent]) t.match(html, part)
})
