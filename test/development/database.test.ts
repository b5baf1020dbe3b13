import { dirname } from 'node:path'
import t from 'tap'
import { activities, invitations, users } from '../../drizzle/schema.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { runScript } from '../helpers/commands.ts'
import { createDatabase } from '../helpers/database.ts'

const run = (name: string, url: string, given: Parameters<typeof runScript>[2] = {}, more = {}) =>
  runScript(`development/database/${name}.ts`, { NODE_ENV: 'development', DATABASE_URL: url, ...more }, given)

t.test('a development database is filled with people to sign in as, once, and emptied again', async (t) => {
  const url = await createDatabase(t)
  const seeded = await run('seed', url)
  t.match(seeded, { code: 0, out: /ana@example\.com, who owns Acme.*correct horse battery/ })

  const { app, db } = await startApp(t, { DATABASE_URL: url })
  const ana = await Browser.open(app)
  await ana.submit('POST', '/sign_in', { email: 'ana@example.com', password: 'correct horse battery' })
  t.match(await ana.visit('/acme/members'), { component: 'accounts/members' })
  t.ok((await db.select().from(users)).length > 10)
  t.ok((await db.select().from(invitations)).length > 1)
  t.ok((await db.select().from(activities)).length > 10)

  t.match(await run('seed', url), { code: 1, err: 'ana@example.com is there already' })
  t.match(await run('reset', url), { code: 0 })
  t.match(await run('shell', url, { words: ['select count(*) from users'] }), { code: 0, out: "'0'" })
})

t.test('the shell says what is wrong with a statement, and where psql is not installed', async (t) => {
  const url = await createDatabase(t)
  t.match(await run('shell', url, { words: ['select nothing'] }), { code: 1, err: 'column "nothing" does not exist' })
  const PATH = dirname(process.execPath)
  t.match(await run('shell', url, {}, { PATH }), { code: 1, err: /psql is not installed/ })
})

t.test('a remote or production database is neither emptied nor filled', async (t) => {
  const url = await createDatabase(t)
  const refused = { code: 1, out: '', err: 'a development database on this machine only' }
  t.match(await run('seed', 'postgres://accounts@db.example.com/accounts'), refused)
  t.match(await run('reset', url, {}, { NODE_ENV: 'production' }), refused)
  t.match(await run('reset', url, { words: ['everything'] }), { code: 2, err: 'Usage: npm run db:reset' })
})
