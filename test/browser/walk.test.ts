import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { sharedBrowser, skip, startBrowser } from './chromium.ts'
import { walk } from './walk.ts'

t.test('a person signs up, signs out and in again, without server rendering', { skip }, async (t) => {
  const { app, open } = await startBrowser(t, { SSR_ENABLED: 'false' })
  t.same(await formsOf(app), [], 'no form that does not work before its script')
  await walk(t, await open())
})

t.test('forms work before the script when the server renders them', { skip }, async (t) => {
  const { app } = await sharedBrowser(t, { SSR_ENABLED: 'true' })
  t.match((await formsOf(app)).join(), 'method="post"')
})

/** The forms of the sign-in page as the server sends it. */
async function formsOf(app: FastifyInstance) {
  const headers = { 'user-agent': 'Mozilla/5.0 Chrome/140.0.0.0 Safari/537.36' }
  const { body } = await app.inject({ url: '/sign_in', headers })
  return body.match(/<form[^>]*>/g) ?? []
}
