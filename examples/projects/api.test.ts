import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { memberships } from '../../drizzle/schema.ts'
import { call, createToken, type Method } from '../../test/helpers/api.ts'
import { startAcme, verify } from '../../test/helpers/people.ts'
import { startApp } from '../start.ts'
import { projects } from './tables.ts'

const { app, db } = await startApp(t)
const fields = { name: 'Apollo', client: 'NASA', rate: '1250.50', currency: 'USD', due_on: '2031-07-16' }
const error = (status: number, phrase: string) => ({ status, error: phrase })

/** Acme, and requests of its owner's or another member's token to what is below its projects. */
async function startProgram() {
  const acme = await startAcme(app)
  const programOf = async (person: typeof acme.owner) => {
    await verify(db, person.user.id)
    const token = await createToken(person.browser)
    return async (method: Method, path = '', body?: object) => {
      const response = await call(app, token, method, `/accounts${acme.path}/projects${path}`, body)
      return response.statusCode === 204 ? null : response.json()
    }
  }
  return { ...acme, programOf, send: await programOf(acme.owner) }
}

t.test('a program creates, reads, lists, changes and deletes projects', async (t) => {
  const { send, owner, path } = await startProgram()
  const project = await send('POST', '', fields)
  t.match(project, { ...fields, id: Number, created_at: String })
  t.same(await send('GET', `/${project.id}`), project)
  t.same(await send('GET'), { data: [project], next: null })

  const changed = { ...fields, rate: '99.00', due_on: '2032-02-29' }
  t.match(await send('PUT', `/${project.id}`, changed), { id: project.id, ...changed })
  t.match((await owner.browser.visit(`${path}/projects`)).props.projects, [{ rate: { amount: 9900 } }])
  t.equal(await send('DELETE', `/${project.id}`), null)
  t.same(await send('GET', `/${project.id}`), error(404, 'Not Found'))
  const [latest] = (await owner.browser.visit(`${path}/activity`)).props.activities
  t.match(latest, { type: 'project_deleted', actor_name: owner.person.name })
})

t.test('its list goes on after a cursor, and nowhere after what is none', async (t) => {
  const { send, account } = await startProgram()
  const one = {
    accountId: account.id,
    client: 'NASA',
    rateAmount: 1,
    rateCurrency: 'JPY',
    dueOn: '2031-01-01',
  } as const
  await db.insert(projects).values(Array.from({ length: 60 }, (_, index) => ({ ...one, name: `Project ${index}` })))
  const first = await send('GET')
  const second = await send('GET', `?after=${first.next}`)
  t.same([first.data.length, second.data.length, second.next], [50, 10, null])
  const invalid = { ...error(422, 'Unprocessable Content'), errors: { after: ['is invalid'] } }
  for (const cursor of ['17', '17~2031-02-30']) t.same(await send('GET', `?after=${cursor}`), invalid)
})

t.test('what breaks a rule is said by field, and a full workspace by none', async (t) => {
  const { send, account } = await startProgram()
  const wrong = { ...fields, name: ' ', rate: '1,5', due_on: '2031-02-30' }
  const errors = { name: ["can't be blank"], rate: ['is invalid'], due_on: ['is invalid'] }
  t.same((await send('POST', '', wrong)).errors, errors)
  t.same((await send('POST', '', { ...fields, currency: 'XXX' })).errors, { currency: ['is not included in the list'] })
  await send('POST', '', fields)
  t.same((await send('POST', '', fields)).errors, { name: ['has already been taken'] })

  const one = {
    accountId: account.id,
    client: 'NASA',
    rateAmount: 1,
    rateCurrency: 'JPY',
    dueOn: '2031-01-01',
  } as const
  await db.insert(projects).values(Array.from({ length: 499 }, (_, index) => ({ ...one, name: `Project ${index}` })))
  t.same((await send('POST', '', { ...fields, name: 'Gemini' })).errors, {
    base: ['A workspace has at most 500 projects'],
  })
})

t.test('a program may do what its owner may', async (t) => {
  const { send, join, programOf } = await startProgram()
  const [mine, others] = [await programOf(await join('member')), await programOf(await join('member'))]
  const { id } = await mine('POST', '', fields)
  const forbidden = error(403, 'Forbidden')
  t.same(await others('PUT', `/${id}`, { ...fields, rate: 'much' }), forbidden)
  t.same(await others('DELETE', `/${id}`), forbidden)
  t.equal((await others('GET')).data.length, 1)
  t.equal((await mine('PUT', `/${id}`, { ...fields, name: 'Gemini' })).name, 'Gemini')

  const elsewhere = await startProgram()
  for (const [method, body] of [['GET'], ['PUT', fields], ['DELETE']] as [Method, object?][])
    t.same(await elsewhere.send(method, `/${id}`, body), error(404, 'Not Found'), method)
  t.equal(await send('DELETE', `/${id}`), null, 'a manager deletes those of all')
})

t.test('a role that only reads is shown projects, and changes none', async (t) => {
  const { owner, join, programOf, send, path } = await startProgram()
  const reader = await join('member')
  const program = await programOf(reader)
  const { id } = await program('POST', '', fields)
  await db.execute(sql`alter table memberships drop constraint memberships_role_is_known`)
  const role = sql`'auditor'` // as the next version may know it
  await db.update(memberships).set({ role }).where(eq(memberships.id, reader.membershipId))

  t.same(
    (await program('GET')).data.map((project: { id: number }) => project.id),
    [id],
  )
  t.match((await reader.browser.visit(`${path}/projects`)).props.projects, [{ id, can_change: false }])
  const forbidden = error(403, 'Forbidden')
  t.same(await program('POST', '', { ...fields, name: 'Gemini' }), forbidden)
  t.same(await program('PUT', `/${id}`, fields), forbidden)
  t.same(await program('DELETE', `/${id}`), forbidden)
  const denied = { alert: "You don't have permission to do that" }
  t.same((await reader.browser.visit(`${path}/projects/new`)).flash, denied)
  t.same((await reader.browser.submit('POST', `${path}/projects`, fields)).flash, denied)
  t.equal((await owner.browser.visit(`${path}/projects`)).props.projects.length, 1)
  t.equal(await send('DELETE', `/${id}`), null)
})

t.test('the document describes the operations, with the statuses of each', async (t) => {
  const { paths } = (await call(app, undefined, 'GET', '/openapi.json')).json()
  const operations = Object.entries<object>(paths).filter(([url]) => url.includes('/projects'))
  const listed = operations.flatMap(([, methods]) => Object.values(methods))
  const ids = ['changeProject', 'createProject', 'deleteProject', 'getProject', 'listProjects']
  t.same(listed.map(({ operationId }) => operationId).toSorted(), ids)
  for (const { operationId, responses } of listed)
    for (const status of [401, 403, 404, 429]) t.ok(status in responses, `${operationId} ${status}`)
})
