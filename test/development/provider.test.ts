import t from 'tap'
import { buildApp } from '../../app.ts'
import { freePort } from '../../development/free-port.ts'
import { developmentProvider } from '../../development/provider/index.ts'
import { loadConfig } from '../../server/config.ts'
import { openAt, skip } from '../browser/chromium.ts'
import { createDatabase } from '../helpers/database.ts'

t.test('a developer signs up as an invented person of the provider Development', { skip }, async (t) => {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const provider = developmentProvider(origin)
  const environment = { NODE_ENV: 'test', HOST: origin, PORT: String(port), LOG_LEVEL: 'warn', SSR_ENABLED: 'false' }
  const secret = 'a secret for tests, which is long enough to be one: 64 characters and more'
  const config = loadConfig({ ...environment, SECRET_KEY_BASE: secret, DATABASE_URL: await createDatabase(t) })
  const app = await buildApp({ ...config, providers: [provider.config] })
  t.teardown(() => app.close())
  await app.register(provider.pages)
  await app.listen({ port, host: 'localhost' })
  const page = await (await openAt(t, origin))({ expects: [409] }) // to another site

  await page.goto('/sign_in')
  await page.getByRole('button', { name: 'Sign in with Development' }).click()
  await page.getByRole('button', { name: 'Ada Abel' }).click()
  await page.waitForURL('/sign_in/with/development')
  t.equal(await page.getByLabel('Email').inputValue(), 'ada@example.com')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL('/ada-abel')
})
