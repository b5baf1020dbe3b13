import t from 'tap'
import { sessions, users } from '../../drizzle/schema.ts'
import { password, sharedAcme, signedIn } from '../helpers/people.ts'

t.test('an export contains all data about a person, and no secret', async (t) => {
  const { app, db, owner, account } = await sharedAcme(t)
  await signedIn(app, owner.person)
  const response = await owner.browser.request('POST', '/settings/export', { body: { password_challenge: password } })
  t.match(response, { statusCode: 200, headers: { 'content-type': /^application\/json/ } })
  t.equal(response.headers['content-disposition'], 'attachment; filename="accounts-export.json"')
  t.equal(response.headers['cache-control'], 'no-store')

  const data = response.json()
  t.match(data.user, { id: owner.user.id, name: owner.user.name, email: owner.person.email, language: 'en' })
  t.equal(data.sessions.length, 2)
  const times = { created_at: /Z$/, last_seen_at: /Z$/ }
  t.match(data.sessions[0], { user_agent: /Chrome/, ip_address: /^198/, method: 'password', ...times })
  const acme = data.accounts.find(({ slug }: { slug: string }) => slug === 'acme')
  t.match(acme, { id: account.id, name: 'Acme', slug: 'acme', role: 'owner' })
  const types = data.activity.map(({ type }: { type: string }) => type)
  t.same(types, ['data_exported', 'signed_in', 'account_created', 'account_created', 'signed_up'])
  const [user] = await db.select().from(users)
  for (const secret of [user?.passwordDigest ?? '', ...(await db.select().from(sessions)).map(({ token }) => token)]) {
    t.notOk(response.body.includes(secret))
  }
})
