import t from 'tap'
import { begin } from '../helpers/issuer.ts'
import { challenge, verifiedUp } from '../helpers/people.ts'
import { origin, port, startWithStandIns as start } from '../helpers/stand-ins.ts'

t.test(
  'in development, a domain below .test is verified by a click, and a provider of its company is there',
  async (t) => {
    const { app } = await start(t, { NODE_ENV: 'development' })
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
  const { app, loaded, config } = await start(t, { NODE_ENV: 'production' })
  t.same(config, loaded)
  for (const path of ['/dev/company/.well-known/openid-configuration', '/dev/company/jwks'])
    t.equal((await app.inject(path)).statusCode, 404)
})
