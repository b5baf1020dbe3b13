import Fastify from 'fastify'
import t, { type Test } from 'tap'
import flash, { type FlashState } from '../../../plugins/forms/flash.ts'
import cookies from '../../../plugins/http/cookies.ts'
import languages, { text } from '../../../plugins/languages/index.ts'
import { keyRing } from '../../../plugins/security/keys.ts'
import { Browser } from '../../helpers/browser.ts'

async function startFlash(t: Test, secret = 'one') {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(cookies, { keys: keyRing(secret)('cookies'), secure: false })
  await app.register(languages, { tags: ['en'] })
  await app.register(flash, { keys: keyRing(secret)('flash') })
  app.post('/flash', (request, reply) => reply.flash(request.body as FlashState).send())
  app.get('/again', (_request, reply) => reply.flash({ alert: text('second') }).send())
  app.get('/read', (request) => app.flashStore.read(request) ?? {})
  app.get('/clear', (request, reply) => {
    app.flashStore.clear(request, reply)
    reply.send()
  })
  return app
}

t.test('the whole flash comes back until it is cleared', async (t) => {
  const browser = new Browser(await startFlash(t))
  const state = { notice: 'Ä "quoted"; notice', errors: { name: ["can't be blank"] }, clearHistory: true }
  await browser.send('POST', '/flash', { body: state })
  t.same((await browser.send('GET', '/read')).json(), state)
  t.same((await browser.send('GET', '/read')).json(), state, 'reading does not consume')

  await browser.send('GET', '/clear')
  t.notOk(browser.cookies.has('flash'))
  t.same((await browser.send('GET', '/read')).json(), {})
})

t.test('the cookie is encrypted and out of reach of scripts', async (t) => {
  const browser = new Browser(await startFlash(t))
  const response = await browser.send('POST', '/flash', { body: { notice: 'hello' } })
  const cookie = String(response.headers['set-cookie'])
  t.match(cookie, /; Path=\/; HttpOnly; SameSite=Lax$/)
  t.notMatch(Buffer.from(cookie, 'base64url').toString('latin1'), /hello/)
})

t.test('a cookie that was forged, truncated or sealed with another secret is ignored', async (t) => {
  const other = new Browser(await startFlash(t, 'another'))
  await other.send('POST', '/flash', { body: { notice: 'hello' } })
  const foreign = other.cookies.get('flash') ?? ''

  const browser = new Browser(await startFlash(t))
  await browser.send('POST', '/flash', { body: { notice: 'hello' } })
  const own = browser.cookies.get('flash') ?? ''
  const altered = `${own.startsWith('A') ? 'B' : 'A'}${own.slice(1)}`
  for (const cookie of [foreign, own.slice(0, -2), own.slice(0, 20), 'x', altered, '%F0%28']) {
    browser.cookies.set('flash', cookie)
    t.same((await browser.send('GET', '/read')).json(), {}, cookie)
  }
})
