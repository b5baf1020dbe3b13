import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { accounts, activities, memberships, roles, sessions, users } from '../../drizzle/schema.ts'
import { apiTokens } from '../../drizzle/tables/api.ts'
import { call, createToken, invitee, type Method, type Operation, operationsInAccount, pathOf } from '../helpers/api.ts'
import { startApp } from '../helpers/app.ts'
import { whileLocked } from '../helpers/database.ts'
import { startAcme, verify } from '../helpers/people.ts'

const { app, db } = await startApp(t)

const error = (status: number, phrase: string) => ({ status, error: phrase })
const unauthorized = error(401, 'Unauthorized')
const forbidden = error(403, 'Forbidden')
const notFound = error(404, 'Not Found')

/** Acme with a token of its owner. */
async function startOwned() {
  const acme = await startAcme(app)
  await verify(db, acme.owner.user.id)
  const token = await createToken(acme.owner.browser)
  return { ...acme, token, api: `/accounts/${acme.account.slug}` }
}

const operations: Record<string, Operation> = {
  getMe: { method: 'GET', path: '/me' },
  listAccounts: { method: 'GET', path: '/accounts' },
  ...operationsInAccount,
}

type Described = { operationId: string; responses: object }

t.test('the document has these operations, and the statuses of each', async (t) => {
  const { paths } = (await call(app, undefined, 'GET', '/openapi.json')).json()
  const reader = await createToken((await startOwned()).owner.browser, { scope: 'read' })
  const documented = Object.entries<Record<string, Described>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method: method.toUpperCase(), ...described })),
  )
  const names = documented.map(({ operationId }) => operationId)
  const undescribed = Object.keys(operations).filter((name) => !names.includes(name))
  t.same(undescribed, [])
  // Those of a product are among them, and have tests of their own for what only they know.
  for (const { path, method, operationId, responses } of documented) {
    const isBelowAccount = path.includes('{slug}')
    const statuses = [operations[operationId]?.status, 401, ...(isBelowAccount ? [403, 404] : []), 429]
    const missing = statuses.filter((status) => status && !(status in responses))
    t.same(missing, [], operationId)
    const url = path
      .replace('/api/v1', '')
      .replace('{slug}', 'acme')
      .replace(/\{\w+\}/g, '1')
    const asked = await call(app, undefined, method as Method, url)
    t.same(asked.json(), unauthorized, operationId)
    t.equal(asked.headers['www-authenticate'], 'Bearer')
    if (method !== 'GET') t.same((await call(app, reader, method as Method, url)).json(), forbidden, operationId)
  }
})

for (const [name, operation] of Object.entries(operations)) {
  const { method, manages, body, status = 200 } = operation
  t.test(`${name} takes a token with the rights for it`, async (t) => {
    const acme = await startOwned()
    const { owner, token, api } = acme
    const below = await pathOf(operation, app, acme)
    const url = name in operationsInAccount ? api + below : below
    const refuse = async (given: string, expected: object, what: string, to = url) => {
      const response = await call(app, given, method, to, body?.())
      t.same(response.json(), expected, what)
      t.notOk(response.headers['www-authenticate'])
      t.notOk(response.headers['set-cookie'])
    }

    if (name in operationsInAccount) {
      const { path: other } = await startAcme(app)
      await refuse(token, notFound, 'of another workspace', `/accounts${other}${below}`)
      const requireFactor = (requireSecondFactor: boolean) =>
        db.update(accounts).set({ requireSecondFactor }).where(eq(accounts.id, acme.account.id))
      const setFactor = (secondFactorAt: Date | null) =>
        db.update(users).set({ secondFactorAt }).where(eq(users.id, owner.user.id))
      await requireFactor(true)
      await refuse(token, forbidden, 'of someone without a second factor')
      await setFactor(app.now())
      await refuse(token, forbidden, 'of a session without the second factor')
      await db.update(sessions).set({ firstFactor: 'passkey' }).where(eq(sessions.userId, owner.user.id))
      const opened = await call(app, await createToken(owner.browser), 'GET', api)
      t.equal(opened.statusCode, 200, 'of a session with it')
      await setFactor(null)
      await requireFactor(false)
    }

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
  })
}

t.test('things are shown as the document says, lists page by page', async (t) => {
  const { owner, account, token, api } = await startOwned()
  const get = async (path: string) => (await call(app, token, 'GET', path)).json()
  const has = (thing: object, keys: string) => t.equal(Object.keys(thing).join(' '), keys)
  const me = await get('/me')
  const created_at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
  t.match(me, { id: owner.user.id, name: owner.person.name, email: owner.person.email, verified: true, created_at })
  has(me, 'id name email verified created_at updated_at')
  const acme = await get(api)
  has(acme, 'id name slug role created_at')
  t.match(acme, { id: account.id, name: 'Acme', role: 'owner' })

  const { data, next } = await get('/accounts')
  t.same([data.at(-1), next], [acme, null])
  const people = Array.from({ length: 51 }, (_, n) => ({ name: `${n}`, email: `${account.id}-${n}@example.com` }))
  for (const { id } of await db.insert(users).values(people).returning())
    await db.insert(memberships).values({ accountId: account.id, userId: id, role: 'member' })
  const first = await get(`${api}/members`)
  t.equal(first.data.length, 50)
  t.equal(first.next, first.data[49].id)
  const second = await get(`${api}/members?after=${first.next}`)
  t.same([second.data.length, second.next], [2, null])
  has(first.data[0], 'id user_id name email role joined_at')

  const sent = { ...invitee(), role: 'admin' }
  const invitation = (await call(app, token, 'POST', `${api}/invitations`, sent)).json()
  t.same(await get(`${api}/invitations`), { data: [invitation], next: null })
  has(invitation, 'id email role created_at expires_at')
  const [latest] = (await get(`${api}/activity`)).data
  t.match(latest, { type: 'member_invited', actor_name: owner.person.name, details: { role: 'admin' } })
  has(latest, 'id type actor_name details created_at')
})

t.test('a program follows the activity from an id on, oldest first and without gaps', async (t) => {
  const { token, api, account } = await startOwned()
  const get = async (query: string) => (await call(app, token, 'GET', `${api}/activity?${query}`)).json()
  const [{ id: seen }] = (await get('')).data
  t.same(await get(`since=${seen}`), { data: [], next: null })
  // Recorded in the same moment, as by one transaction.
  const recorded = { type: 'account_renamed', accountId: account.id, details: {}, createdAt: app.now() }
  await db.insert(activities).values(Array.from({ length: 51 }, () => recorded))
  const first = await get(`since=${seen}`)
  const last = await get(`since=${first.next}`)
  t.same([first.data.length, last.data.length, last.next], [50, 1, null])
  const ids = [...first.data, ...last.data].map(({ id }) => id)
  t.same(
    ids,
    ids.toSorted((one, other) => one - other),
    'oldest first',
  )
  t.same((await get('')).data[0], last.data[0], 'as the list the other way round shows it')
  t.same((await get(`since=${seen}&after=${seen}`)).errors, { after: ['is invalid'] })
})

t.test('what breaks a rule is said by field, in English', async (t) => {
  const { owner, token, api } = await startOwned()
  const own = `${api}/members/${owner.membershipId}`
  const invitations = `${api}/invitations`
  const unknownRole = { role: ['is not included in the list'] }
  const cases: [Method, string, object | undefined, object][] = [
    ['PATCH', own, { role: 'boss' }, unknownRole],
    ['PATCH', own, {}, { role: ["can't be blank"] }],
    ['PATCH', api, { name: ' ' }, { name: ["can't be blank"] }],
    ['PATCH', api, { name: 7 }, { name: ['is invalid'] }],
    ['PATCH', api, { name: 'a\0b' }, { name: ['is invalid'] }],
    ['POST', invitations, { email: 'nobody', role: 'member' }, { email: ['is invalid'] }],
    ['POST', invitations, { ...invitee(), role: 'owner' }, unknownRole],
    ['POST', invitations, { email: owner.person.email, role: 'member' }, { email: ['is already a member'] }],
    ['GET', `${api}/members?after=x`, undefined, { after: ['is invalid'] }],
    ['GET', `${api}/activity?since=x`, undefined, { since: ['is invalid'] }],
    ['GET', `${api}/members?after=1&after=2`, undefined, { after: ['is invalid'] }],
  ]
  const headers = { 'accept-language': 'de', authorization: `Bearer ${token}` }
  for (const [method, path, payload, errors] of cases) {
    const response = await app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) })
    t.same(response.json(), { ...error(422, 'Unprocessable Content'), errors }, `${method} ${path}`)
  }
})

t.test('a token makes, changes and removes no owner, not even its own person', async (t) => {
  const { owner, join, membersNow, token, api } = await startOwned()
  const [second, member] = [await join('owner'), await join('member')]
  const before = await membersNow()
  const attempts: [Method, number, object?][] = [
    ['PATCH', member.membershipId, { role: 'owner' }],
    ['DELETE', second.membershipId],
    ['DELETE', owner.membershipId],
  ]
  for (const { membershipId } of [owner, second])
    for (const role of roles) attempts.push(['PATCH', membershipId, { role }])
  for (const [method, id, body] of attempts) {
    const response = await call(app, token, method, `${api}/members/${id}`, body)
    t.same(response.json(), forbidden, `${method} ${id} ${JSON.stringify(body)}`)
  }
  t.same(await membersNow(), before)

  await verify(db, member.user.id)
  const own = await call(app, await createToken(member.browser), 'DELETE', `${api}/members/${member.membershipId}`)
  t.equal(own.statusCode, 204, 'anybody else may leave with one')
})

t.test('it speaks JSON alone, and reads no cookie', async (t) => {
  const { owner, token, api } = await startOwned()
  const authorization = `Bearer ${token}`
  const send = async (headers: object, payload?: string) => {
    const request = { method: 'PATCH', url: `/api/v1${api}`, ...(payload && { payload }) } as const
    return (await app.inject({ ...request, headers: { authorization, ...headers } })).json()
  }
  const json = { 'content-type': 'application/json' }
  const badRequest = error(400, 'Bad Request')
  t.same(await send(json, '{"name":'), badRequest)
  t.same(await send(json, '[]'), badRequest)
  t.same(await send({ 'content-type': 'application/x-www-form-urlencoded' }, 'name=Apex'), badRequest)
  t.same(await send({}), badRequest)
  t.same(await send({ ...json, precognition: 'true' }, '{"name":"Zenith"}'), badRequest, 'nothing only validates')
  const html = { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (compatible; MSIE 10.0)' }
  t.equal((await send({ ...json, ...html }, '{"name":"Apex"}')).name, 'Apex')

  t.same((await owner.browser.send('GET', '/api/v1/me')).json(), unauthorized, 'a session is no token')
  const long = `/accounts/${'a'.repeat(300)}`
  for (const path of ['/nothing', '/accounts/acme/nothing', '/accounts/%00', '/accounts/%ff', long, `${api}/members/x`])
    t.same((await app.inject({ url: `/api/v1${path}`, headers: { authorization, ...html } })).json(), notFound, path)
  t.same((await call(app, token, 'POST', '/me')).json(), notFound, 'a wrong method')
})

t.test('a write that began before its token was revoked changes nothing', async (t) => {
  const { token, api, account, owner } = await startOwned()
  const here = eq(accounts.id, account.id)
  const lock = sql`select from accounts where ${here} for update`
  const rename = async () => call(app, token, 'PATCH', api, { name: 'Apex' })
  const revoke = () => db.delete(apiTokens).where(eq(apiTokens.userId, owner.user.id))
  const response = await whileLocked(db, lock, rename, revoke)
  t.same(response.json(), unauthorized)
  t.equal((await db.select().from(accounts).where(here))[0]?.name, 'Acme')
})

t.test('programs share the budgets of the pages', async (t) => {
  const { token, api, owner, path } = await startOwned()
  const send = () => call(app, token, 'POST', `${api}/invitations`, invitee())
  for (let count = 0; count < 10; count++) t.equal((await send()).statusCode, 201)
  const refused = await send()
  t.same(refused.json(), { ...error(429, 'Too Many Requests'), message: 'Try again later.' })
  t.ok(Number(refused.headers['retry-after']) > 0)
  const page = await owner.browser.submit('POST', `${path}/invitations`, invitee())
  t.equal(page.flash?.alert, 'Try again later.')
})
