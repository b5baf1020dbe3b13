import t from 'tap'
import { prepareDatabases } from '../../server/prepare.ts'
import { call } from '../helpers/api.ts'
import { startApp } from '../helpers/app.ts'
import { databaseOf030 } from '../helpers/versions.ts'

const token = 'acct_uhwIsJawyl1MmQnqz6EvMJo9OMpC0p1NG09V'

t.test('a token of 0.3.0 goes on, with the scope that it had', async (t) => {
  const { url } = await databaseOf030(t, new URL('version-0.3.sql', import.meta.url))
  const { app, config } = await startApp(t, { DATABASE_URL: url })
  await prepareDatabases(config)
  t.match((await call(app, token, 'GET', '/me')).json(), { email: 'ivy@example.com' })
  t.equal((await call(app, token, 'PATCH', '/accounts/ivy', { name: 'Ivy and friends' })).statusCode, 200)
})
