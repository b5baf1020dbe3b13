import t from 'tap'
import { Browser } from '../helpers/browser.ts'
import { begin } from '../helpers/issuer.ts'
import { port, startWithStandIns } from '../helpers/stand-ins.ts'

t.test('in development, a provider of invented people is there, and in production it is not', async (t) => {
  const { app } = await startWithStandIns(t, { NODE_ENV: 'development' })
  await app.listen({ port, host: 'localhost' })
  const start = await begin(await Browser.open(app), {}, '/sign_in/with/development')
  const there = await fetch(start, { redirect: 'manual' })
  t.match(there.headers.get('location'), /^\/dev\/provider\/choose\//)

  const production = await startWithStandIns(t, { NODE_ENV: 'production' })
  t.same(production.config, production.loaded)
  t.equal((await production.app.inject('/dev/provider/jwks')).statusCode, 404)
})
