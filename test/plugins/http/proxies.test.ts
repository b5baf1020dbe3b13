import t from 'tap'
import { loadConfig } from '../../../server/config.ts'
import { createFastify } from '../../../server/fastify.ts'
import { collectLines, settings, sharedApp, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { signUpByForm } from '../../helpers/people.ts'

t.test('as many forwarded addresses are trusted as there are proxies', async (t) => {
  const [socket, last, second, first] = ['127.0.0.1', '198.51.100.3', '198.51.100.2', '198.51.100.1']
  const addresses = { '': last, 0: socket, 1: last, 2: second, 3: first, 5: first, true: last, false: socket }
  for (const [proxies, address] of Object.entries(addresses)) {
    const config = loadConfig({ ...settings, DATABASE_URL: 'postgres://none', TRUST_PROXY: proxies })
    const app = createFastify(config, { now: () => new Date(), requestTimeout: 1_000 })
    app.get('/', ({ ip }) => ip)
    const { body } = await app.inject({ url: '/', headers: { 'x-forwarded-for': `${first}, ${second}, ${last}` } })
    t.equal(body, address, `TRUST_PROXY=${proxies}`)
  }
})

t.test('a session shows the address that the proxy forwarded', async (t) => {
  const { app } = await sharedApp(t)
  const { browser } = await signUpByForm(app, {}, '198.51.100.1, 198.51.100.3')
  const { sessions } = (await browser.visit('/settings/sessions')).props
  t.equal(sessions[0].ip_address, '198.51.100.3')
})

t.test('without a proxy, clients can forge neither their address nor https', async (t) => {
  const { app } = await sharedApp(t, { TRUST_PROXY: '0' })
  const browser = await Browser.open(app)
  const guess = (address: string) =>
    browser.request('POST', '/sign_in', {
      body: { email: 'nobody@example.com', password: null },
      headers: { 'x-forwarded-for': address, accept: 'application/json' },
    })
  for (let count = 1; count <= 10; count++) t.equal((await guess(`198.51.100.${count}`)).statusCode, 400)
  t.equal((await guess('198.51.100.11')).statusCode, 429)

  const { headers } = await new Browser(app).send('GET', '/sign_in', { headers: { 'x-forwarded-proto': 'https' } })
  for (const cookie of [headers['set-cookie']].flat()) t.notMatch(cookie, /Secure/)
})

t.test('each sign of a wrong number of proxies is logged once', async (t) => {
  const warningsOf = async (proxies: string) => {
    const { lines, logTo } = collectLines()
    const { app } = await startApp(t, { TRUST_PROXY: proxies, LOG_LEVEL: 'warn' }, { logTo })
    for (const header of ['', '', 'unknown', '198.51.100.1, _hidden', '198.51.100.1']) {
      await app.inject({ url: '/sign_in', headers: header ? { 'x-forwarded-for': header } : {} })
    }
    await app.inject('/up') // requested by the container itself
    return lines.flatMap(({ msg }) => (msg.includes('TRUST_PROXY') ? [msg] : []))
  }
  const [missing, unreadable, ...more] = await warningsOf('1')
  t.match([missing, unreadable], [/no X-Forwarded-For/, /is no address/])
  t.same(more, [])
  t.same(await warningsOf('0'), [])
})
