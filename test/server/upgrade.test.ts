import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { migrate } from '../../drizzle/migrate.ts'
import { methodOf } from '../../features/auth/methods.ts'
import { selectSessions } from '../../features/auth/sessions.ts'
import { keyRing } from '../../plugins/security/keys.ts'
import { createSealing } from '../../plugins/security/sealing.ts'
import { prepareDatabases } from '../../server/prepare.ts'
import { addressOf } from '../helpers/address.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { runCommand } from '../helpers/commands.ts'
import { defineReport, wake } from '../helpers/jobs.ts'
import { openGuest } from '../helpers/people.ts'
import { startSmtp } from '../helpers/smtp.ts'
import { databaseOf030, emptyDatabase, migrateUntil, migrationsOf020 } from '../helpers/versions.ts'

const dump = new URL('version-0.3.sql', import.meta.url)

/** What 0.3.0 gave Ana's browser when she signed up. */
const cookies = {
  csrf_secret: '06846362-33eb-42eb-b6c1-4a6112460708.CZRY+VNuCbR77sFtmnD1gUG4fQxfZHZN7teWCL3cxDE',
  'XSRF-TOKEN': 'S1yOgGCz_OmGMChE0JoetWHkx-5cx7ghQW4BT8Z_mvQ',
  session_token: 'bbVoit13PTkSGCEeKjDkgJAKgXq6UElSp0ujzGS_Tag./iIz/fv/xZ9AlU7clkFtDsgeKlDBWpKdfBvYLu/yKBo',
}

/** From its mails. */
const links = {
  verification:
    '/identity/email_verification?sid=eyJ1c2VyIjoyLCJleHBpcmVzIjozMzcyODg5ODU4NDAyLCJzdGF0ZSI6IklLMFRSR3dKZzB3R01iWUdNQnlnT1oifQ.-YxYfrS6c9KgxpuwV_L289qGcTV_Xns7pEklykNCep0',
  notMine:
    '/identity/not_mine?sid=eyJ1c2VyIjoyLCJleHBpcmVzIjozMzcyODg5ODU4NDAzLCJzdGF0ZSI6IkR5T3NjRzBCUnlFeVpCZmJBb1pQV0QifQ.eC73ROWRJ7fLSv_J4CHQhfvypVliw7n834PfQlZyOs0',
  reset:
    '/identity/password_reset/edit?sid=eyJ1c2VyIjoxLCJleHBpcmVzIjozMzcyNzE4MjU5NjM2LCJzdGF0ZSI6Ik4xc0lXV1IzZFZEeWEzTFJwR3E0WmEifQ.w9WbdeqJOlX2EJz2hpEg9NI1yZCbKZxVPE4bSxvTCV0',
  undo: '/identity/email_change?sid=eyJ1c2VyIjozLCJleHBpcmVzIjozMzcyOTc2MjU5MDYxLCJzdGF0ZSI6Ik83eHZNMjhhaXp6RkY2UlBrZS1fTnMifQ.s2ih5LqxyBQct9G_aOgjHUVSMFbwD8_5PH6tmwQzJuY',
  invitation: '/invitations/rpnHsUDoC7_s3E-e3GT7UK9p9HdPYDfptTPZjFTdQWE',
}

for (const place of ['the same database', 'another database']) {
  t.test(`mails and jobs that 0.3.0 left in ${place} are done once, and those it gave up can be retried`, async (t) => {
    const queue = await databaseOf030(t, dump)
    const smtp = await startSmtp(t)
    const databases: Record<string, string> = { DATABASE_URL: queue.url }
    if (place === 'another database') {
      const { url, sql } = await databaseOf030(t, dump)
      await sql`drop schema pgboss cascade`
      Object.assign(databases, { DATABASE_URL: url, QUEUE_URL: queue.url })
    }
    const { app, config } = await startApp(t, { ...databases, ...smtp.environment })
    await prepareDatabases(config)
    const reports: string[] = []
    defineReport(app, async ({ about }) => reports.push(about))
    const run = (...words: string[]) => runCommand('jobs', databases, ...words)

    t.match(await app.jobs.backlog(), { waiting: 5, dead: 2 })
    const { out } = await run()
    t.match(out, /^3 queued, 2 failed and waiting for the next try, 2 dead$/m)
    t.match(out, /'dead' +│ 'account_invitation' +│ 9 +│ .*'EENVELOPE 451'/)

    await app.jobs.startWorkers()
    t.match(await run('retry'), { code: 0, out: '2 jobs are queued again.\n' })
    const unfinished = () => queue.sql`select from pgboss.job where state < 'completed'`
    while ((await unfinished()).length > 0) {
      await queue.sql`update pgboss.job set start_after = now() where state = 'retry'`
      for (const name of ['jobs', 'private_jobs']) await wake(app.db, name)
      await sleep(100)
    }
    t.same(smtp.mails.map(({ recipient, subject }) => `${recipient}: ${subject}`).sort(), [
      'ana@example.com: Reset your password',
      'cem@example.com: Ana invited you to Ana on Acme Accounts',
      'eve@example.com: Your password has been changed',
      'fay@example.com: Verify your email',
      'gus@example.com: Your account has been deleted',
    ])
    t.same(reports.sort(), ['Acme', 'Hooli', 'Initech'])
    t.match(await app.jobs.backlog(), { waiting: 0, dead: 0 })
    t.equal((await queue.sql`select from pgboss.job where data->>'email' = 'gus@example.com'`).length, 0)
    const schedules = (await queue.sql`select key from pgboss.schedule`).map(({ key }) => key)
    t.same([schedules.includes('sweep'), schedules.includes('backfill')], [true, false], schedules.join())
  })
}

t.test('what 0.3.0 gave browsers and wrote in mails is understood: cookies, links, messages', async (t) => {
  const { url } = await databaseOf030(t, dump)
  const { app, config } = await startApp(t, { DATABASE_URL: url })
  await prepareDatabases(config)
  const browser = new Browser(app)
  for (const [name, value] of Object.entries(cookies)) browser.cookies.set(name, value)
  const { seal } = createSealing(keyRing(config.secretKeyBase)('flash'))
  browser.cookies.set('flash', seal('{"notice":"Signed out","errors":{"name":["is invalid"]}}', 'flash'))
  const { component, props, flash } = await browser.visit('/ana')
  t.match({ component, ...props }, { component: 'accounts/show', auth: { user: { email: 'ana@example.com' } } })
  t.same([flash, props.errors], [{ notice: 'Signed out' }, { name: ['is invalid'] }])
  t.match((await browser.submit('PATCH', '/settings/profile', { name: 'Ann' })).props.auth.user, { name: 'Ann' })

  const guest = await openGuest(app)
  t.equal((await guest.visit(links.notMine)).component, 'identity/not-mine')
  t.equal((await guest.visit(links.verification)).flash?.notice, 'Thank you for verifying your email address')
  t.match((await guest.visit(links.invitation)).props, { account_name: 'Ana', inviter_name: 'Ann' })
  const form = async (link: string) => {
    const fresh = { password: 'a fresh password', password_confirmation: 'a fresh password' }
    const page = await guest.visit(link)
    return { sid: page.props.sid, ...fresh }
  }
  const restored = await guest.submit('POST', '/identity/email_change', await form(links.undo))
  t.match(restored.props.auth?.user, { email: 'dora@example.com' })
  await guest.submit('DELETE', `/sessions/${restored.props.auth.session.id}`)
  const reset = await guest.submit('PATCH', '/identity/password_reset', await form(links.reset))
  t.equal(reset.flash?.notice, 'Your password was reset successfully. Please sign in')
})

t.test('sessions that either version writes or changes say the same to both', async (t) => {
  const { url, sql } = await databaseOf030(t, dump)
  const { app, config } = await startApp(t, { DATABASE_URL: url })
  await prepareDatabases(config)
  await sql`delete from sessions`
  const insert = (token: string, factors: object) =>
    sql`insert into sessions ${sql({ token, user_id: 1, user_agent: '', ip_address: '', ...factors })}`
  await insert('added', { first_factor: 'provider', provider: 'oidc' })
  await insert('ours', { first_factor: 'email_code', second_factor: 'code' })
  await insert('passkey', { first_factor: 'passkey' })
  await insert('withdrawn by 0.3.0', { first_factor: 'provider', provider: 'git_hub', second_factor: 'recovery_code' })
  await insert('withdrawn by us', { first_factor: 'passkey' })
  await sql`update sessions set second_factor = 'code' where token = 'added'`
  await sql`update sessions set method = 'provider:git_hub' where token = 'withdrawn by 0.3.0'`
  await sql`update sessions set first_factor = 'password', second_factor = null where token = 'withdrawn by us'`
  const expected = {
    added: 'provider:oidc_and_code',
    ours: 'email_code_and_code',
    passkey: 'passkey',
    'withdrawn by 0.3.0': 'provider:git_hub',
    'withdrawn by us': 'password',
  }
  const rows = await selectSessions(app, 1)
  t.same(Object.fromEntries(rows.map((row) => [row.token, methodOf(row)])), expected)
  const read = await sql`select token, method from sessions`
  t.same(Object.fromEntries(read.map(({ token, method }) => [token, method])), expected, 'to 0.3.0')
})

t.test('what 0.3.0 had not filled yet is filled at the start', async (t) => {
  const { url, sql } = await databaseOf030(t, dump)
  await sql.unsafe(`
    set session_replication_role = replica;
    update users set search = null;
    update accounts set personal_user_id = null;
    update sessions set method = 'provider:oidc_and_code' where user_id = 2;
    set session_replication_role = origin`)
  await migrate(addressOf(url), t.comment)
  t.match(
    await sql`select search, personal_user_id from users join accounts on personal_user_id = users.id
    where users.id = 1`,
    [{ search: 'ana ana@example.com', personal_user_id: '1' }],
  )
  t.match(await sql`select first_factor, provider, second_factor from sessions where user_id = 2`, [
    { first_factor: 'provider', provider: 'oidc', second_factor: 'code' },
  ])
})

t.test('a database older than 0.3.0 stops the start with one line, and stays as it is', async (t) => {
  const { url, sql } = await emptyDatabase(t)
  await migrateUntil(t, addressOf(url), migrationsOf020)
  const { config } = await startApp(t, { DATABASE_URL: url })
  const line = 'The database is older than version 0.3.0: start 0.3.0 first, then this version'
  await t.rejects(prepareDatabases(config), { name: 'Error', message: line })
  t.equal((await sql`select from drizzle.__drizzle_migrations`).length, migrationsOf020)
  const { code, out } = await runCommand('check', { DATABASE_URL: url })
  t.equal(code, 1)
  t.match(out, new RegExp(`^FAILED +migrations: ${line}$`, 'm'))
})
