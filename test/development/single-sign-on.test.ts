import t from 'tap'
import { buildApp } from '../../app.ts'
import { freePort } from '../../development/free-port.ts'
import { startStandIns } from '../../development/stand-ins.ts'
import { loadConfig } from '../../server/config.ts'
import { configs } from '../helpers/app.ts'
import { createDatabase } from '../helpers/database.ts'
import { begin } from '../helpers/issuer.ts'
import { challenge, verifiedUp } from '../helpers/people.ts'

const url = await createDatabase(t)
const port = await freePort()
const origin = `http://localhost:${port}`

async function start(environment: Record<string, string>) {
  const given = { HOST: origin, PORT: String(port), LOG_LEVEL: 'silent', DATABASE_URL: url, MAILER_HOST: '127.0.0.1' }
  const secret = 'a secret for tests, which is long enough to be one: 64 characters and more'
  const loaded = loadConfig({ ...given, SECRET_KEY_BASE: secret, ...environment })
  const { config, register } = await startStandIns(loaded)
  const app = await buildApp(config, { maxEventLoopDelayMs: 0 }) // other tests keep the machine busy
  configs.set(app, config)
  t.teardown(() => app.close())
  await register(app)
  return { app, loaded, config }
}

t.test(
  'in development, a domain below .test is verified by a click, and a provider of its company is there',
  async (t) => {
    const { app } = await start({ NODE_ENV: 'development' })
    await app.listen({ port, host: 'localhost' })
    const { browser } = await verifiedUp(app, { email: 'olga@acme.test' })
    await browser.submit('POST', '/accounts', { name: 'Acme' })
    for (const domain of ['acme.test', 'acme.example']) await browser.submit('POST', '/acme/sso/domains', { domain })
    const { domains } = (await browser.visit('/acme/sso')).props
    const verify = async (domain: string) => {
      const id = domains.find((each: { domain: string }) => each.domain === domain).id
      return (await browser.submit('POST', `/acme/sso/domains/${id}/verification`)).flash
    }
    t.same(await verify('acme.test'), { notice: 'acme.test is verified' })
    t.same(await verify('acme.example'), { alert: "The record isn't there yet. It can take an hour" })

    const connection = { issuer: `${origin}/dev/company`, client_id: 'accounts', client_secret: 'accounts' }
    const saved = await browser.submit('PATCH', '/acme/sso', { ...connection, ...challenge })
    t.same(saved.flash, { notice: 'Single sign-on saved' })
    const there = await fetch(await begin(browser, {}, '/sign_in/sso/acme'), { redirect: 'manual' })
    t.match(there.headers.get('location'), /^\/dev\/company\/choose\//, 'whose client may come back to any workspace')
  },
)

t.test('nothing of it is there in production', async (t) => {
  const { app, loaded, config } = await start({ NODE_ENV: 'production', HOST: origin })
  t.same(config, loaded)
  for (const path of ['/dev/company/.well-known/openid-configuration', '/dev/company/jwks'])
    t.equal((await app.inject(path)).statusCode, 404)
})
