import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { accounts, activities, invitations, rateLimits } from '../../drizzle/schema.ts'
import { workspaceTokens } from '../../drizzle/tables/workspace-tokens.ts'
import { call, createToken, invitee, operationsInAccount, pathOf } from '../helpers/api.ts'
import { startApp } from '../helpers/app.ts'
import { recorded } from '../helpers/records.ts'
import { acmeWithTokens } from '../helpers/workspace-tokens.ts'

const { app, db } = await startApp(t)
t.test('each operation does for each kind of token what its role and scope allow', async (t) => {
  const acme = await acmeWithTokens(app)
  for (const role of ['admin', 'member'] as const)
    for (const scope of ['read', 'write'] as const) {
      const person = await acme.joinVerified(role)
      const secrets = {
        person: await createToken(person.browser, { scope }),
        workspace: (await acme.create(acme.owner, { role, scope })).secret,
      }
      for (const [kind, secret] of Object.entries(secrets))
        for (const [name, operation] of Object.entries(operationsInAccount)) {
          const { method, manages, body, status = 200 } = operation
          const below = await pathOf(operation, app, acme)
          const isAllowed = (role === 'admin' || !manages) && (scope === 'write' || method === 'GET')
          await db.delete(rateLimits)
          const response = await call(app, secret, method, acme.api + below, body?.())
          t.equal(response.statusCode, isAllowed ? status : 403, `${name} ${kind} ${role} ${scope}: ${response.body}`)
        }
    }
})

t.test('the document has both kinds of token for every operation, and both answers of /me', async (t) => {
  const { paths, components, security } = (await call(app, undefined, 'GET', '/openapi.json')).json()
  t.same(security, [{ token: [] }, { workspace_token: [] }], 'either of them, for every operation')
  t.match(components.securitySchemes, { workspace_token: { type: 'http', scheme: 'bearer', description: String } })
  const operations = Object.values<Record<string, { security?: unknown }>>(paths).flatMap((methods) =>
    Object.values(methods),
  )
  t.same(
    operations.filter(({ security }) => security),
    [],
    'none is for one kind alone',
  )
  const { schema } = paths['/api/v1/me'].get.responses[200].content['application/json']
  t.same(
    schema.anyOf.map(({ properties }: { properties: object }) => Object.keys(properties)),
    [
      ['id', 'name', 'email', 'verified', 'created_at', 'updated_at'],
      ['account', 'token'],
    ],
  )
})

t.test('it acts as the workspace, there alone', async (t) => {
  const acme = await acmeWithTokens(app)
  const other = await acmeWithTokens(app)
  const { send } = await acme.create(acme.owner, { name: 'Deploy', role: 'admin', scope: 'read' })
  const own = (await send('GET', acme.api)).json()
  t.match(own, { id: acme.account.id, name: 'Acme', slug: acme.account.slug, role: 'admin' })
  const { account, token, ...others } = (await send('GET', '/me')).json()
  t.same([account, others], [own, {}], 'no person')
  t.match(token, { name: 'Deploy', role: 'admin', scope: 'read', expires_at: String })
  t.same(Object.keys(token), ['name', 'role', 'scope', 'expires_at'])
  t.same((await send('GET', '/accounts')).json(), { data: [own], next: null })
  t.same((await send('GET', `/accounts?after=${acme.account.id}`)).json(), { data: [], next: null })

  const notFound = { status: 404, error: 'Not Found' }
  for (const path of [other.api, `/accounts/${acme.owner.slug}`, '/accounts/unknown'])
    for (const below of ['', '/members', '/invitations', '/activity'])
      t.same((await send('GET', path + below)).json(), notFound, `its maker's own too: ${path}${below}`)

  const members = (await send('GET', `${acme.api}/members`)).json().data
  t.equal(members.length, 1, 'it is not listed')
  t.equal((await acme.owner.browser.visit(`${acme.path}/members`)).props.members.length, 1)
})

t.test('it makes, changes, invites and removes no owner, and manages nothing else', async (t) => {
  const acme = await acmeWithTokens(app)
  const { status, send } = await acme.create()
  const [second, someone] = [await acme.join('owner'), await acme.join('member')]
  const before = await acme.membersNow()
  for (const { membershipId } of [acme.owner, second]) {
    for (const role of ['owner', 'admin', 'member'])
      t.equal(await status('PATCH', `/members/${membershipId}`, { role }), 403)
    t.equal(await status('DELETE', `/members/${membershipId}`), 403)
  }
  t.equal(await status('PATCH', `/members/${someone.membershipId}`, { role: 'owner' }), 403)
  t.equal(await status('POST', '/invitations', { ...invitee(), role: 'owner' }), 422)
  t.same(await acme.membersNow(), before)
  for (const below of ['/tokens', '/webhooks', '/sso', '/settings'])
    for (const method of ['GET', 'POST', 'DELETE'] as const) t.equal(await status(method, below), 404, below)
  t.equal((await send('POST', '/accounts', { name: 'Apex' })).statusCode, 404)
})

t.test('pages, streams and everything outside of the API do not know it', async (t) => {
  const { create, path } = await acmeWithTokens(app)
  const { secret } = await create()
  const headers = { authorization: `Bearer ${secret}`, accept: 'application/json' }
  for (const url of [path, `${path}/members`, `${path}/tokens`, '/settings/profile', '/live?s=[]']) {
    const { statusCode, headers: answered } = await app.inject({ url, headers })
    t.ok(statusCode === 401 || answered.location === '/sign_in', `${url} ${statusCode}`)
  }
})

t.test('what it does is recorded by its name, without user and client, and marked', async (t) => {
  const { owner, path, account, create, api, join } = await acmeWithTokens(app)
  const { send, id } = await create(owner, { name: owner.person.name })
  const removed = await join('member')
  await send('PATCH', api, { name: 'Apex' })
  const { id: invitationId } = (await send('POST', `${api}/invitations`, invitee())).json()
  await send('DELETE', `${api}/invitations/${invitationId}`)
  await send('PATCH', `${api}/members/${removed.membershipId}`, { role: 'admin' })
  await send('DELETE', `${api}/members/${removed.membershipId}`)
  const byToken = (await recorded(db)).filter(
    ({ accountId, details }) => accountId === account.id && details.token_id === id && !details.token_name,
  )
  const types = ['account_renamed', 'member_invited', 'invitation_revoked', 'role_changed', 'member_removed']
  t.same(
    byToken.map(({ type }) => type),
    types,
  )
  for (const { actorName, actorId, ipAddress, userAgent } of byToken)
    t.same([actorName, actorId, ipAddress, userAgent], [owner.person.name, null, null, null])
  const { activities: shown } = (await owner.browser.visit(`${path}/activity`)).props
  t.match(shown[0], { type: 'member_removed', actor_name: owner.person.name, details: { token_id: id } })
  const [own] = (await removed.browser.visit('/settings/activity')).props.activities
  t.match(own, { actor_name: owner.person.name, details: { token_id: id } }, 'so whom it concerns sees it, too')
})

t.test('an invitation of it names the workspace', async (t) => {
  const { owner, create, api, account } = await acmeWithTokens(app)
  const { send } = await create()
  const guest = await acmeWithTokens(app)
  await db.execute(sql`update users set language = 'de' where id = ${owner.user.id}`)
  const { id } = (await send('POST', `${api}/invitations`, { email: guest.owner.person.email, role: 'member' })).json()
  const [row] = await db.select().from(invitations).where(eq(invitations.id, id))
  t.equal(row?.inviterId, null)
  const { props } = await guest.owner.browser.visit(`/invitations/open/${id}`)
  t.equal(props.inviter_name, account.name)
  t.match(props.open_invitations, [{ id, inviter_name: account.name }])
})

t.test('its budgets are apart from those of people: each its own, changes shared, invitations by maker', async (t) => {
  const [acme, other] = [await acmeWithTokens(app), await acmeWithTokens(app)]
  const maker = await acme.joinVerified('admin')
  await db.execute(sql`insert into memberships (account_id, user_id, role)
    values (${other.account.id}, ${maker.user.id}, 'admin')`)
  const [one, two] = [await acme.create(maker), await acme.create(maker)]
  const hits = async () => {
    const { rows } = await db.execute<{ limit: string; hits: number[] }>(sql`
      select split_part(key, ':', 1) as limit, array_agg(hits order by key) as hits from rate_limits group by 1`)
    return Object.fromEntries(rows.map(({ limit, hits }) => [limit, hits.toSorted()]))
  }
  await db.delete(rateLimits)
  for (const { send } of [one, one, two]) await send('GET', '/me')
  t.same((await hits()).api_request, [1, 2], 'requests of each token')
  for (const { send } of [one, two]) await send('PATCH', acme.api, { name: 'Apex' })
  t.same((await hits()).account_change, [2], 'changes of all tokens of the workspace')
  await maker.browser.submit('PATCH', `${acme.path}/settings`, { name: 'Zenith' })
  t.same((await hits()).account_change, [1, 2], 'apart from those of people')

  const there = await other.create(maker)
  await one.send('POST', `${acme.api}/invitations`, invitee())
  await there.send('POST', `${other.api}/invitations`, invitee())
  t.same((await hits()).invitation_sent, [2], 'invitations of one maker, wherever')
  await maker.browser.submit('POST', `${acme.path}/invitations`, invitee())
  t.same((await hits()).invitation_sent, [1, 2])
  await db.update(rateLimits).set({ hits: 50 }).where(sql`key like 'invitation_sent:%' and hits = 2`)
  t.equal((await two.send('POST', `${acme.api}/invitations`, invitee())).statusCode, 429)
  const owners = await acme.create()
  t.equal((await owners.send('POST', `${acme.api}/invitations`, invitee())).statusCode, 201, 'of another maker')
})

t.test('with the workspace they go', async (t) => {
  const { create, account } = await acmeWithTokens(app)
  const { send } = await create()
  await send('POST', `/accounts/${account.slug}/invitations`, invitee())
  await db.delete(accounts).where(eq(accounts.id, account.id))
  t.equal((await send('GET', '/me')).statusCode, 401)
  t.equal(await db.$count(workspaceTokens, eq(workspaceTokens.accountId, account.id)), 0)
  t.ok(await db.$count(activities, eq(activities.accountId, account.id)))
})
