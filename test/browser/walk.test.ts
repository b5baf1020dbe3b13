import t from 'tap'
import { skip, startBrowser } from './chromium.ts'
import { walk } from './walk.ts'

for (const ssr of ['false', 'true']) {
  t.test(`a person signs up, signs out and in again, with SSR_ENABLED=${ssr}`, { skip }, async (t) => {
    const { open } = await startBrowser(t, { SSR_ENABLED: ssr })
    await walk(t, await open())
  })
}

t.test('the server sends a form only with SSR, and never one that works before its script', { skip }, async (t) => {
  for (const ssr of ['false', 'true']) {
    const { app } = await startBrowser(t, { SSR_ENABLED: ssr })
    const agent = { 'user-agent': 'Mozilla/5.0 Chrome/140.0.0.0 Safari/537.36' }
    const { body } = await app.inject({ url: '/sign_in', headers: agent })
    t.equal(body.includes('<form'), ssr === 'true')
    t.equal(body.match(/<title/g)?.length, 1)
    if (ssr === 'true') t.match(body, /<button[^>]*type="submit"[^>]*disabled/)
  }
})
