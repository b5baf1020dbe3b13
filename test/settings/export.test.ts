import { sql } from 'drizzle-orm'
import t from 'tap'
import { activities, passkeys, rateLimits, sessions, users } from '../../drizzle/schema.ts'
import { jsonOf } from '../../features/settings/exports.ts'
import { startAcme } from '../helpers/accounts.ts'
import { sharedApp } from '../helpers/app.ts'
import { password, signedIn, signedUp } from '../helpers/people.ts'

t.test('an export contains all data about a person, and no secret', async (t) => {
  const { app, db } = await sharedApp(t)
  const { owner, account } = await startAcme(app)
  await signedIn(app, owner.person)
  const key = { credentialId: 'credential', publicKey: 'a public key', counter: 7, syncable: true, synced: true }
  await db.insert(passkeys).values({ ...key, userId: owner.user.id, name: 'My phone' })
  const response = await owner.browser.request('POST', '/settings/export', { body: { password_challenge: password } })
  t.equal(response.statusCode, 200)
  t.match(response.headers['content-type'], /^application\/json/)
  t.equal(response.headers['content-disposition'], 'attachment; filename="accounts-export.json"')
  t.equal(response.headers['cache-control'], 'no-store')

  const data = response.json()
  t.match(data.user, { id: owner.user.id, name: owner.user.name, email: owner.person.email, language: 'en' })
  t.equal(data.sessions.length, 2)
  const times = { created_at: /Z$/, last_seen_at: /Z$/ }
  t.match(data.sessions[0], { user_agent: /Chrome/, ip_address: /^198/, method: 'password', ...times })
  t.match(
    data.accounts.find(({ slug }: { slug: string }) => slug === 'acme'),
    { id: account.id, name: 'Acme', slug: 'acme', role: 'owner' },
  )
  t.match(data.passkeys, [{ name: 'My phone', created_at: /Z$/, last_used_at: null }])
  t.notMatch(response.body, /a public key|credential/)
  t.same(
    data.activity.map(({ type }: { type: string }) => type),
    ['data_exported', 'signed_in', 'account_created', 'account_created', 'signed_up'],
  )
  const [user] = await db.select().from(users)
  for (const secret of [user?.passwordDigest ?? '', ...(await db.select().from(sessions)).map(({ token }) => token)]) {
    t.notOk(response.body.includes(secret))
  }
})

t.test('what a person did in a year is read and sent in pieces', async (t) => {
  const { app, db } = await sharedApp(t)
  const { browser, user } = await signedUp(app)
  const rows = Array.from({ length: 2_500 }, (_, n) => ({
    type: `test_${n}`,
    userId: user.id,
    details: { 'a\n"b': n },
  }))
  await db.insert(activities).values(rows)
  const response = await browser.request('POST', '/settings/export', { body: { password_challenge: password } })
  const { activity, ...others } = response.json()
  t.same(Object.keys(others).slice(0, 3), ['user', 'sessions', 'accounts'])
  t.equal(activity.length, 2_500 + 3)
  t.equal(JSON.stringify(response.json(), null, 2), response.body, 'it is laid out as a whole')
  let longest = 0
  for await (const piece of jsonOf(app, user.id)) longest = Math.max(longest, piece.length)
  t.ok(longest < response.body.length / 2)
})

t.test('a wrong challenge redirects back to the form, without an export', async (t) => {
  const { app } = await sharedApp(t)
  const { browser } = await signedUp(app)
  for (const body of [{ password_challenge: 'wrong' }, { password_challenge: null }, {}]) {
    const page = await browser.submit('POST', '/settings/export', body)
    t.equal(page.url, '/settings/profile')
    t.same(page.props.errors, { password_challenge: ['is invalid'] })
  }
  t.equal((await browser.precognize('POST', '/settings/export', { password_challenge: password })).statusCode, 400)
  const types = (await browser.visit('/settings/activity')).props.activities.map(({ type }: { type: string }) => type)
  t.notOk(types.includes('data_exported'))
})

t.test('exports have a budget of their own, and wrong passwords share that of all challenges', async (t) => {
  const { app, db } = await sharedApp(t)
  const { browser } = await signedUp(app)
  const asked = (password_challenge: string) =>
    browser.request('POST', '/settings/export', { body: { password_challenge } })
  for (let count = 0; count < 10; count++) t.equal((await asked('wrong')).headers.location, '/settings/profile')
  const response = await asked(password)
  t.equal(response.headers.location, '/settings/profile')
  t.equal((await browser.follow(response)).flash?.alert, 'Try again later.')

  await db.update(rateLimits).set({ hits: 99 }).where(sql`key like 'challenge:%' and hits = 10`)
  browser.headers['x-forwarded-for'] = '192.0.2.1'
  await asked('wrong')
  browser.headers['x-forwarded-for'] = '192.0.2.100'
  const spent = await browser.follow(await asked(password))
  t.equal(spent.flash?.alert, 'Try again later.', 'wherever they come from')
})
