import { eq, like } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { apiTokens } from '../../drizzle/tables/api.ts'
import { workspaceTokens } from '../../drizzle/tables/workspace-tokens.ts'
import { call, createToken } from '../helpers/api.ts'
import { collectLines, startApp } from '../helpers/app.ts'
import { challenge } from '../helpers/people.ts'
import { dump, mailsOf, recorded } from '../helpers/records.ts'
import { acmeWithTokens } from '../helpers/workspace-tokens.ts'

const { lines, logTo } = collectLines()
const { app, db, clock } = await startApp(t, { LOG_LEVEL: 'info' }, { logTo })
const valid = { name: 'CI', role: 'member', scope: 'read', days: 30, ...challenge }
const dayMs = 86_400_000

t.test('a manager creates one, sees it once, rolls and revokes it', async (t) => {
  const { owner, account, url, joinVerified } = await acmeWithTokens(app)
  const { browser } = owner
  const created = await browser.submit('POST', url, valid)
  t.match(created, {
    component: 'accounts/tokens',
    flash: { notice: 'Token created', token: /^acwt_[0-9A-Za-z]{36}$/ },
  })
  const [token] = created.props.tokens
  const known = { name: 'CI', role: 'member', scope: 'read', created_by: owner.person.name, last_used_at: null }
  t.match(token, { ...known, blocked: false, orphaned: false })
  t.same(Object.keys(token).toSorted(), [
    ...['blocked', 'created_at', 'created_by', 'expires_at', 'id', 'last_used_at', 'name', 'orphaned', 'role', 'scope'],
  ])
  const old = String(created.flash?.token)
  t.notOk((await browser.visit(url)).flash?.token, 'only once')
  t.equal((await call(app, old, 'GET', '/me')).statusCode, 200)
  t.ok((await browser.visit(url)).props.tokens[0].last_used_at)

  const admin = await joinVerified('admin')
  const roll = `${url}/${token.id}/roll`
  const unproved = await admin.browser.submit('POST', roll, { password_challenge: 'wrong' })
  t.same(unproved.props.errors, { password_challenge: ['is invalid'] })
  const rolled = await admin.browser.submit('POST', roll, challenge)
  t.match(rolled.flash, { notice: 'Token rolled', token: /^acwt_/ })
  const [successor, former] = rolled.props.tokens
  t.match(successor, { ...known, created_by: admin.person.name }, 'who rolls it is its maker')
  t.equal(Date.parse(successor.expires_at) - Date.parse(successor.created_at), 30 * dayMs)
  t.equal(former.created_by, owner.person.name)
  t.equal((await browser.request('POST', roll, { body: challenge })).statusCode, 404, 'no second time')
  clock.forward({ minutes: 59 })
  for (const secret of [old, String(rolled.flash?.token)])
    t.equal((await call(app, secret, 'GET', '/me')).statusCode, 200)
  clock.forward({ minutes: 2 })
  t.equal((await call(app, old, 'GET', '/me')).statusCode, 401)

  const revoked = await browser.submit('DELETE', `${url}/${successor.id}`)
  t.equal(revoked.flash?.notice, 'Token revoked')
  t.same(revoked.props.tokens.length, 1)
  t.equal((await call(app, String(rolled.flash?.token), 'GET', '/me')).statusCode, 401)

  const activities = (await recorded(db)).filter(
    ({ accountId, type }) => accountId === account.id && type.includes('token'),
  )
  t.match(
    activities.map(({ type, details }) => ({ type, details })),
    [
      { type: 'workspace_token_created', details: { token_id: token.id, token_name: 'CI' } },
      { type: 'workspace_token_rolled', details: { token_id: successor.id, token_name: 'CI' } },
      { type: 'workspace_token_revoked', details: { token_id: successor.id, token_name: 'CI' } },
    ],
  )
  const mails = (await mailsOf(db, owner.user.id)).filter((mail) => String(mail).startsWith('workspace'))
  t.same(mails, ['workspace_token_created', 'workspace_token_created', 'workspace_token_revoked'])
  t.notOk(
    (await mailsOf(db, admin.user.id)).some((mail) => String(mail).startsWith('workspace')),
    'owners alone',
  )
})

t.test('its values and the challenge are checked together', async (t) => {
  const { owner, url } = await acmeWithTokens(app)
  const errorsOf = async (changes: object) =>
    (await owner.browser.submit('POST', url, { ...valid, ...changes })).props.errors
  const unknown = ['is not included in the list']
  t.same(await errorsOf({ name: ' ', role: 'owner', scope: 'admin', days: 8, password_challenge: 'wrong' }), {
    ...{ name: ["can't be blank"], role: unknown, scope: unknown, days: unknown },
    password_challenge: ['is invalid'],
  })
  for (const role of ['', undefined, 'Admin']) t.same(await errorsOf({ role }), { role: unknown }, String(role))
  t.equal((await owner.browser.precognize('POST', url, valid, 'name')).statusCode, 400)
})

t.test('twenty are enough, also when they are made at once, and one of them can be rolled', async (t) => {
  const { owner, account, url, create } = await acmeWithTokens(app)
  const { browser } = owner
  await create()
  const [row] = await db.select().from(workspaceTokens).where(eq(workspaceTokens.accountId, account.id))
  if (!row) throw new Error('there is no token')
  const { id, ...values } = row
  const more = Array.from({ length: 18 }, (_, n) => ({ ...values, digest: `${account.id} ${n}` }))
  await db.insert(workspaceTokens).values([...more, { ...values, digest: `${account.id} old`, expiresAt: app.now() }])
  await Promise.all([1, 2].map(() => browser.request('POST', url, { body: valid })))
  t.equal(await db.$count(workspaceTokens, eq(workspaceTokens.accountId, account.id)), 21, 'twenty and an expired one')
  t.match(await browser.submit('POST', url, valid), { flash: { alert: 'This workspace has 20 tokens already' } })

  const roll = () => browser.request('POST', `${url}/${id}/roll`, { body: challenge })
  const outcomes = await Promise.all([roll(), roll()])
  t.same(outcomes.map(({ statusCode }) => statusCode).toSorted(), [302, 404], 'once, also at once')
  t.equal(await db.$count(workspaceTokens, eq(workspaceTokens.accountId, account.id)), 22)
  const [other] = await db
    .select()
    .from(workspaceTokens)
    .where(like(workspaceTokens.digest, `${account.id} 1`))
  const again = await browser.submit('POST', `${url}/${other?.id}/roll`, challenge)
  t.equal(again.flash?.notice, 'Token rolled', 'another one as well: what has a successor does not count')
})

t.test('it is for managers with a verified address, and unknown to other workspaces', async (t) => {
  const acme = await acmeWithTokens(app)
  const { id } = await acme.create()
  const other = await acmeWithTokens(app)
  const { id: theirs } = await other.create()
  const [member, stranger] = [await acme.join('member'), other.owner]
  const item = `${acme.url}/${id}`
  const all = [
    ['GET', acme.url],
    ['POST', acme.url],
    ['POST', `${item}/roll`],
    ['DELETE', item],
  ] as const
  for (const [method, url] of all) {
    const page = await member.browser.submit(method, url, challenge)
    t.match(page, { component: 'accounts/show', flash: { alert: "You don't have permission to do that" } }, url)
    t.equal((await stranger.browser.request(method, url)).statusCode, 404, 'a stranger')
  }
  for (const [method, url] of [
    ['POST', `${acme.url}/${theirs}/roll`],
    ['DELETE', `${acme.url}/${theirs}`],
  ] as const)
    for (const { browser } of [acme.owner, member])
      t.equal((await browser.request(method, url)).statusCode, 404, 'before the role is asked')
  t.equal((await acme.list()).length, 1)

  const { browser, user } = await acme.join('admin')
  for (const [url, body] of [
    [acme.url, valid],
    [`${item}/roll`, challenge],
  ] as const)
    t.equal((await browser.submit('POST', url, body)).flash?.alert, 'Verify your email first')
  t.equal((await browser.submit('DELETE', item)).flash?.notice, 'Token revoked', 'to revoke must be easy')
  await db.update(users).set({ verified: true }).where(eq(users.id, user.id))
  t.equal((await browser.submit('POST', acme.url, valid)).flash?.notice, 'Token created')
})

t.test('neither prefix opens the table of the other', async (t) => {
  const { owner, create } = await acmeWithTokens(app)
  const { secret, id } = await create()
  const own = await createToken(owner.browser)
  const [mine] = await db.select().from(apiTokens).where(eq(apiTokens.userId, owner.user.id))
  const [row] = await db.select().from(workspaceTokens).where(eq(workspaceTokens.id, id))
  await db
    .update(apiTokens)
    .set({ digest: row?.digest ?? '' })
    .where(eq(apiTokens.id, mine?.id ?? 0))
  await db
    .update(workspaceTokens)
    .set({ digest: mine?.digest ?? '' })
    .where(eq(workspaceTokens.id, id))
  for (const swapped of [secret, own]) t.equal((await call(app, swapped, 'GET', '/me')).statusCode, 401)
})

t.test('the secret is in no log, table, job or export', async (t) => {
  const { owner, create } = await acmeWithTokens(app)
  const { secret, send } = await create()
  await send('GET', '/me')
  await send('GET', `/${secret}`)
  const exported = (await owner.browser.request('POST', '/settings/export', { body: challenge })).body
  t.notOk(/"workspace_tokens"/.test(exported))
  const everything = [exported, await dump(db), JSON.stringify(lines)].join()
  t.match(everything, owner.person.email)
  t.notOk(everything.includes(secret.slice(5, 35)))
})
