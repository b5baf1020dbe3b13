import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, apiTokens, memberships, sessions, users } from '../../drizzle/schema.ts'
import { call, createToken } from '../helpers/api.ts'
import { startApp } from '../helpers/app.ts'
import { untilWaiting } from '../helpers/database.ts'
import { startAcme, verify } from '../helpers/people.ts'

const { app, db } = await startApp(t)
type Acme = Awaited<ReturnType<typeof startAcme>>

const error = (status: number, phrase: string) => ({ status, error: phrase })
const unauthorized = error(401, 'Unauthorized')
const forbidden = error(403, 'Forbidden')
const notFound = error(404, 'Not Found')

/** Acme with a token of someone in it. */
async function acmeWith(role: 'owner' | 'admin' | 'member', scope = 'write') {
  const acme = await startAcme(app)
  const someone = role === 'owner' ? acme.owner : await acme.join(role)
  await verify(db, someone.user.id)
  const token = await createToken(someone.browser, { scope })
  return { ...acme, someone, token, api: `/accounts/${acme.account.slug}` }
}

let invited = 0
const email = () => `guest-${++invited}@example.com`

/** An invitation to act on, made by the owner's page. */
async function invitationIn({ owner, path }: Acme) {
  const page = await owner.browser.submit('POST', `${path}/invitations`, { email: email(), role: 'member' })
  return page.props.invitations[0].id as number
}

type Operation = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** For managers only. */
  manages?: true
  path(acme: Acme): string | Promise<string>
  body?(): object
  status: number
}
const at = (below: string) => (acme: Acme) => `/accounts/${acme.account.slug}${below}`

const inAccount: Record<string, Operation> = {
  getAccount: { method: 'GET', path: at(''), status: 200 },
  renameAccount: { method: 'PATCH', manages: true, path: at(''), body: () => ({ name: 'Apex' }), status: 200 },
  listMembers: { method: 'GET', path: at('/members'), status: 200 },
  changeRole: {
    method: 'PATCH',
    manages: true,
    path: async (acme) => at(`/members/${(await acme.join('member')).membershipId}`)(acme),
    body: () => ({ role: 'admin' }),
    status: 200,
  },
  removeMember: {
    method: 'DELETE',
    manages: true,
    path: async (acme) => at(`/members/${(await acme.join('member')).membershipId}`)(acme),
    status: 204,
  },
  listInvitations: { method: 'GET', manages: true, path: at('/invitations'), status: 200 },
  invite: {
    method: 'POST',
    manages: true,
    path: at('/invitations'),
    body: () => ({ email: email(), role: 'member' }),
    status: 201,
  },
  revokeInvitation: {
    method: 'DELETE',
    manages: true,
    path: async (acme) => at(`/invitations/${await invitationIn(acme)}`)(acme),
    status: 204,
  },
  listActivity: { method: 'GET', manages: true, path: at('/activity'), status: 200 },
}
const operations: Record<string, Operation> = {
  getMe: { method: 'GET', path: () => '/me', status: 200 },
  listAccounts: { method: 'GET', path: () => '/accounts', status: 200 },
  ...inAccount,
}

t.test('the document has exactly these operations, and the statuses of each', async (t) => {
  const { paths } = (await call(app, undefined, 'GET', '/openapi.json')).json()
  const listed = Object.values<Record<string, { operationId: string; responses: object }>>(paths).flatMap(Object.values)
  t.same(listed.map(({ operationId }) => operationId).toSorted(), Object.keys(operations).toSorted())
  for (const { operationId, responses } of listed) {
    const below = operationId in inAccount
    const statuses = [operations[operationId]?.status, 401, ...(below ? [403, 404] : []), 429].map(String)
    t.same(
      statuses.filter((status) => !(status in responses)),
      [],
      operationId,
    )
  }
})

for (const [name, { method, manages, path, body, status }] of Object.entries(operations)) {
  t.test(name, async (t) => {
    const acme = await acmeWith('owner')
    const { owner, token } = acme
    const [{ id } = { id: 0 }] = await db.select().from(apiTokens).where(eq(apiTokens.userId, owner.user.id))
    const url = await path(acme)
    const refuse = async (given: string | undefined, expected: object, what: string, to = url) => {
      const response = await call(app, given, method, to, body?.())
      t.same(response.json(), expected, what)
      t.equal(response.headers['www-authenticate'], response.statusCode === 401 ? 'Bearer' : undefined)
      t.notOk(response.headers['set-cookie'])
    }

    await refuse(undefined, unauthorized, 'no token')
    await refuse(`${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`, unauthorized, 'a malformed one')
    const other = (await startAcme(app)).account.slug
    if (name in inAccount) await refuse(token, notFound, 'of another workspace', url.replace(acme.account.slug, other))

    const writes = method !== 'GET'
    if (writes) await refuse(await createToken(owner.browser, { scope: 'read' }), forbidden, 'read-only')
    await db.update(accounts).set({ requireSecondFactor: true }).where(eq(accounts.id, acme.account.id))
    if (name in inAccount) {
      await refuse(token, forbidden, 'of someone without a second factor')
      await db.update(users).set({ secondFactorAt: app.now() }).where(eq(users.id, owner.user.id))
      await refuse(token, forbidden, 'of a session without the second factor')
      await db.update(sessions).set({ method: 'passkey' }).where(eq(sessions.userId, owner.user.id))
      const proved = await createToken(owner.browser)
      const opened = await call(app, proved, 'GET', at('')(acme))
      t.equal(opened.statusCode, 200, 'of a session with it')
      await db.update(users).set({ secondFactorAt: null }).where(eq(users.id, owner.user.id))
    }
    await db.update(accounts).set({ requireSecondFactor: false }).where(eq(accounts.id, acme.account.id))

    if (manages) {
      const admin = await acme.join('admin')
      await verify(db, admin.user.id)
      const demoted = await createToken(admin.browser)
      await owner.browser.submit('PATCH', `${acme.path}/members/${admin.membershipId}`, { role: 'member' })
      await refuse(demoted, forbidden, 'of a demoted person')
      await admin.browser.submit('DELETE', `${acme.path}/members/${admin.membershipId}`)
      await refuse(demoted, notFound, 'of a person who left')
    }

    const done = await call(app, token, method, url, body?.())
    t.equal(done.statusCode, status, done.body)
    t.notOk(done.headers['set-cookie'])

    await db.update(apiTokens).set({ expiresAt: app.now() }).where(eq(apiTokens.id, id))
    await refuse(token, unauthorized, 'expired')
    await owner.browser.submit('DELETE', `/settings/tokens/${id}`)
    await refuse(token, unauthorized, 'revoked')
  })
}

t.test('things are shown as the document says, lists page by page', async (t) => {
  const { owner, account, token, api } = await acmeWith('owner')
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
  const me = (await call(app, token, 'GET', '/me')).json()
  t.match(me, {
    id: owner.user.id,
    name: owner.person.name,
    email: owner.person.email,
    verified: true,
    created_at: iso,
  })
  t.same(Object.keys(me), ['id', 'name', 'email', 'verified', 'created_at', 'updated_at'])
  const acme = (await call(app, token, 'GET', api)).json()
  t.same(Object.keys(acme), ['id', 'name', 'slug', 'role', 'created_at'])
  t.match(acme, { id: account.id, name: 'Acme', role: 'owner' })

  const { data, next } = (await call(app, token, 'GET', '/accounts')).json()
  t.same([data.at(-1), next], [acme, null])
  for (let n = 0; n < 51; n++) {
    const [user] = await db
      .insert(users)
      .values({ name: `${n}`, email: `${account.id}-${n}@example.com` })
      .returning()
    if (user) await db.insert(memberships).values({ accountId: account.id, userId: user.id, role: 'member' })
  }
  const first = (await call(app, token, 'GET', `${api}/members`)).json()
  t.equal(first.data.length, 50)
  t.equal(first.next, first.data[49].id)
  const second = (await call(app, token, 'GET', `${api}/members?after=${first.next}`)).json()
  t.match([second.data.length, second.next], [2, null])
  t.same(Object.keys(first.data[0]), ['id', 'user_id', 'name', 'email', 'role', 'joined_at'])

  const invitation = (await call(app, token, 'POST', `${api}/invitations`, { email: email(), role: 'admin' })).json()
  t.same((await call(app, token, 'GET', `${api}/invitations`)).json(), { data: [invitation], next: null })
  t.same(Object.keys(invitation), ['id', 'email', 'role', 'created_at', 'expires_at'])
  const [latest] = (await call(app, token, 'GET', `${api}/activity`)).json().data
  t.match(latest, { type: 'member_invited', actor_name: owner.person.name, details: { role: 'admin' } })
  t.same(Object.keys(latest), ['id', 'type', 'actor_name', 'details', 'created_at'])
})

t.test('what breaks a rule is said by field, in English', async (t) => {
  const { owner, token, api } = await acmeWith('owner')
  const own = `${api}/members/${owner.membershipId}`
  const say = async (...[method, path, body, headers = {}]: [Method, string, object?, Record<string, string>?]) => {
    const authorization = `Bearer ${token}`
    const asked = { 'accept-language': 'de', authorization, ...headers }
    const response = await app.inject({ method, url: `/api/v1${path}`, headers: asked, ...(body && { payload: body }) })
    const { errors, ...rest } = response.json()
    t.same(rest, error(422, 'Unprocessable Content'), response.body)
    return errors
  }
  t.same(await say('PATCH', own, { role: 'admin' }), { role: ['A workspace needs at least one owner'] })
  t.same(await say('DELETE', own), { role: ['A workspace needs at least one owner'] })
  t.same(await say('PATCH', own, { role: 'boss' }), { role: ['is not included in the list'] })
  t.same(await say('PATCH', own, {}), { role: ["can't be blank"] })
  t.same(await say('PATCH', api, { name: ' ' }), { name: ["can't be blank"] })
  t.same(await say('PATCH', api, { name: 7 }), { name: ['is invalid'] })
  t.same(await say('PATCH', api, { name: 'a\0b' }), { name: ['is invalid'] })
  t.same(await say('POST', `${api}/invitations`, { email: 'nobody', role: 'member' }), { email: ['is invalid'] })
  t.same(await say('POST', `${api}/invitations`, { email: email(), role: 'owner' }), {
    role: ['is not included in the list'],
  })
  t.same(await say('POST', `${api}/invitations`, { email: owner.person.email, role: 'member' }), {
    email: ['is already a member'],
  })
  t.same(await say('GET', `${api}/members?after=x`), { after: ['is invalid'] })
  t.same(await say('GET', `${api}/members?after=1&after=2`), { after: ['is invalid'] })
})
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

t.test('it speaks JSON alone, and reads no cookie', async (t) => {
  const { owner, token, api } = await acmeWith('owner')
  const authorization = `Bearer ${token}`
  const send = (headers: object, payload?: string) =>
    app.inject({
      method: 'PATCH',
      url: `/api/v1${api}`,
      headers: { authorization, ...headers },
      ...(payload && { payload }),
    })
  const badRequest = error(400, 'Bad Request')
  t.same((await send({ 'content-type': 'application/json' }, '{"name":')).json(), badRequest)
  t.same((await send({ 'content-type': 'application/json' }, '[]')).json(), badRequest)
  t.same((await send({ 'content-type': 'application/x-www-form-urlencoded' }, 'name=Apex')).json(), badRequest)
  t.same((await send({})).json(), badRequest)
  const html = { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (compatible; MSIE 10.0)' }
  t.equal((await send({ ...html, 'content-type': 'application/json' }, '{"name":"Apex"}')).statusCode, 200)

  t.same((await owner.browser.send('GET', '/api/v1/me')).json(), unauthorized, 'a session is no token')
  const long = `/accounts/${'a'.repeat(300)}`
  for (const path of ['/nothing', '/accounts/acme/nothing', '/accounts/%00', '/accounts/%ff', long, `${api}/members/x`])
    t.same((await app.inject({ url: `/api/v1${path}`, headers: { authorization, ...html } })).json(), notFound, path)
  const wrongMethod = await app.inject({ method: 'POST', url: '/api/v1/me', headers: { authorization } })
  t.same(wrongMethod.json(), notFound)
  const precognitive = await send({ precognition: 'true', 'content-type': 'application/json' }, '{"name":"Zenith"}')
  t.same(precognitive.json(), badRequest, 'nothing here only validates')
  t.equal((await call(app, token, 'GET', api)).json().name, 'Apex')
})

t.test('a write that began before its token was revoked changes nothing', async (t) => {
  const { token, api, account, someone } = await acmeWith('owner')
  const { renaming } = await db.transaction(async (tx) => {
    await tx.select().from(accounts).where(eq(accounts.id, account.id)).for('update')
    const renaming = call(app, token, 'PATCH', api, { name: 'Apex' }).then((response) => response.json())
    await untilWaiting(db, renaming)
    await db.delete(apiTokens).where(eq(apiTokens.userId, someone.user.id))
    return { renaming } // not awaited before the lock is given up
  })
  t.same(await renaming, unauthorized)
  const [row] = await db.select().from(accounts).where(eq(accounts.id, account.id))
  t.equal(row?.name, 'Acme')
})

t.test('programs share the budgets of the pages', async (t) => {
  const { token, api, owner, path } = await acmeWith('owner')
  const invite = () => call(app, token, 'POST', `${api}/invitations`, { email: email(), role: 'member' })
  for (let count = 0; count < 10; count++) t.equal((await invite()).statusCode, 201)
  const refused = await invite()
  t.same(refused.json(), { ...error(429, 'Too Many Requests'), message: 'Try again later.' })
  t.ok(Number(refused.headers['retry-after']) > 0)
  const page = await owner.browser.submit('POST', `${path}/invitations`, { email: email(), role: 'member' })
  t.equal(page.flash?.alert, 'Try again later.')
})
