import { eq } from 'drizzle-orm'
import t from 'tap'
import { projects } from '../../examples/projects/tables.ts'
import { startApp } from '../../examples/start.ts'
import { acmeWithTokens } from '../helpers/workspace-tokens.ts'

const { app, db } = await startApp(t)
const fields = { name: 'Apollo', client: 'NASA', rate: '1250.50', currency: 'USD', due_on: '2031-07-16' }

t.test('what a program makes for a workspace has no creator, and only managers change it', async (t) => {
  const { owner, api, account, create, path } = await acmeWithTokens(app)
  const [member, admin] = [await create(owner, { role: 'member', name: 'Sync' }), await create()]
  const created = await member.send('POST', `${api}/projects`, fields)
  t.equal(created.statusCode, 201)
  const item = `/projects/${created.json().id}`
  const [row] = await db.select().from(projects).where(eq(projects.accountId, account.id))
  t.equal(row?.creatorId, null)
  t.match((await owner.browser.visit(`${path}/projects`)).props.projects, [{ creator_name: null }])
  const changed = { ...fields, name: 'Gemini' }
  t.same([await member.status('PUT', item, changed), await member.status('DELETE', item)], [403, 403])
  t.same([await admin.status('PUT', item, changed), await admin.status('DELETE', item)], [200, 204])
  const [, , first] = (await owner.browser.visit(`${path}/activity`)).props.activities
  t.match(first, { type: 'project_created', actor_name: 'Sync', details: { token_id: member.id } })
})
