import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { fill } from '../bench/database/scale-fill.ts'
import { invitations } from '../drizzle/schema.ts'
import { startAcme, tokenOf } from './helpers/accounts.ts'
import { startApp } from './helpers/app.ts'
import { createDatabase } from './helpers/database.ts'
import { intercept } from './helpers/intercept.ts'
import { password, signedIn, signedUp } from './helpers/people.ts'

type App = Awaited<ReturnType<typeof startApp>>['app']

/** What people do all day, and what they do once. */
async function everything(app: App) {
  const { owner, join, path } = await startAcme(app)
  const [ben, cleo] = [await join('admin'), await join('member')]
  const guest = await signedUp(app)
  for (const page of ['', '/members', '/members?q=ana&role=admin', '/members?after=1', '/activity', '/settings']) {
    await owner.browser.visit(`${path}${page}`)
    await owner.browser.document(`${path}${page}`)
  }
  const searched = `activity?actor=${owner.user.id}&from=2026-01-01&to=2026-12-31`
  await owner.browser.visit(`${path}/${searched}`)
  await owner.browser.visit(`/settings/${searched}`)
  for (const name of ['profile', 'sessions', 'security', 'activity', 'email']) {
    await owner.browser.visit(`/settings/${name}`)
  }
  const parts = 'members_count,first_steps,latest_activities,personal_account,accounts'
  const asked = { 'x-inertia-partial-component': 'accounts/show', 'x-inertia-partial-data': parts }
  await owner.browser.visit(path, asked)
  await owner.browser.submit('POST', `${path}/invitations`, { email: guest.person.email, role: 'member' })
  await owner.browser.submit('POST', `${path}/invitations`, { email: 'other@example.com', role: 'member' })
  const rows = await app.db.select().from(invitations).orderBy(invitations.id)
  const [first, second] = rows.slice(-2)
  const token = await tokenOf(app, first?.id ?? 0)
  await guest.browser.visit(`/invitations/${token}`)
  await guest.browser.submit('POST', `/invitations/${token}/accept`)
  await owner.browser.submit('POST', `${path}/invitations/${second?.id}/resend`)
  await owner.browser.submit('DELETE', `${path}/invitations/${second?.id}`)
  await owner.browser.submit('PATCH', `${path}/settings`, { name: 'Renamed' })
  await owner.browser.submit('PATCH', `${path}/members/${cleo.membershipId}`, { role: 'admin' })
  await owner.browser.submit('PATCH', `${path}/members/${cleo.membershipId}`, { role: 'member' })
  await owner.browser.submit('DELETE', `${path}/members/${cleo.membershipId}`)

  const again = await signedIn(app, owner.person)
  await signedIn(app, { ...owner.person, password: 'a wrong password' })
  await signedIn(app, { email: 'nobody@example.com', password })
  await again.browser.submit('PATCH', '/settings/profile', { name: 'Anna' })
  await again.browser.submit('PATCH', '/settings/email', { email: 'anna@example.com', password_challenge: password })
  await again.browser.submit('DELETE', '/sessions', { password_challenge: password })
  await guest.browser.submit('POST', '/identity/password_reset', { email: guest.person.email })
  await guest.browser.submit('DELETE', `/sessions/${guest.page.props.auth.session.id}`)
  const made = await again.browser.submit('POST', '/accounts', { name: 'Another' })
  await again.browser.submit('DELETE', made.url, { password_challenge: password })
  await again.browser.submit('DELETE', '/users', { password_challenge: password })
  await ben.browser.submit('DELETE', '/users', { password_challenge: password })
}

const large = ['users', 'accounts', 'memberships', 'invitations', 'sessions', 'activities', 'email_changes']

t.test('no statement scans a large table, whatever its parameters are', async (t) => {
  const url = await createDatabase(t)
  await fill(url, 5000)
  const { app, db } = await startApp(t, { DATABASE_URL: url })
  await db.execute(sql`
    insert into activities (type, account_id, user_id, actor_id, details)
    select 'role_changed', account_id, user_id, user_id, '{}' from memberships`)
  await db.execute(sql`
    insert into email_changes (user_id, previous_email) select id, email from users`)
  await db.execute(sql`
    insert into pgboss.job (name, state, data)
    select 'mail', 'completed', jsonb_build_object('mail', 'password_reset', 'email', email) from users`)
  await db.execute(sql`analyze`)
  const statements = new Set<string>()
  for (const client of app.db.clients) {
    intercept(client, (unsafe, asked) => {
      statements.add(asked[0])
      return unsafe(...asked)
    })
  }
  await everything(app)

  const planner = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => planner.end())
  t.ok(statements.size > 60, `${statements.size} statements`)
  for (const statement of statements) {
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(statement)) continue
    const rows = await planner.unsafe(`explain (generic_plan) ${statement}`).simple()
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    const scanned = [...large, 'job_common'].filter((table) => new RegExp(`Seq Scan on ${table}\\b`).test(plan))
    t.same(scanned, [], statement.replaceAll(/\s+/g, ' '), { plan })
  }
})

t.test('statements prepared while the tables were empty use an index from then on', async (t) => {
  const scans = await scansOf(t, everything)
  for (const table of [...large, 'rate_limits', 'passkeys', 'second_factors', 'recovery_codes']) {
    t.equal(scans.get(table), 0, table)
  }
})

/** How often each table was scanned while a new application did this. Connections report when they end. */
async function scansOf(t: Test, work: (app: App) => Promise<unknown>) {
  const url = await createDatabase(t)
  await t.test('work', async (t) => {
    const { app } = await startApp(t, { DATABASE_URL: url })
    await work(app)
  })
  const reader = postgres(url, { max: 1 })
  t.teardown(() => reader.end())
  const rows = await reader<{ name: string; scans: string }[]>`
    select relname as name, seq_scan as scans from pg_stat_user_tables where schemaname = 'public'`
  return new Map(rows.map(({ name, scans }) => [name, Number(scans)]))
}
