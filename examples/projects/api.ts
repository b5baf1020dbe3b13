import { Type } from 'typebox'
import { personOf } from '../../features/accounts/index.ts'
import {
  type ApiResource,
  accountOf,
  countChange,
  ItemParams,
  listOf,
  operation,
  SlugParams,
} from '../../features/api/index.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { dayIn } from '../../plugins/languages/days.ts'
import { text } from '../../plugins/languages/index.ts'
import { decimalMoney } from './money.ts'
import { PositionCursor, readPosition } from './positions.ts'
import {
  checkProject,
  createProject,
  deleteProject,
  projectOf,
  projectsOf,
  projectToChange,
  updateProject,
} from './projects.ts'
import { currencies, type Project } from './tables.ts'

const fields = {
  name: Type.String(),
  client: Type.String(),
  rate: Type.String({ description: 'An hour, as a decimal such as 1250.50' }),
  currency: Type.Enum([...currencies]),
  due_on: Type.String({ description: 'A day such as 2031-07-16' }),
}
const ProjectFields = Type.Object(fields)
const PresentedProject = Type.Object({
  id: Type.Integer(),
  ...fields,
  created_at: Type.String({ format: 'date-time' }),
})

/** Projects for programs. Amounts are read and written with a point, whatever the language of the token's owner. */
export const projectsApi: ApiResource = async (app) => {
  const { db } = app
  const url = '/accounts/:slug/projects'
  const item = `${url}/:id`

  const listing = operation('listProjects', 'The projects of a workspace by their due days', {
    params: SlugParams,
    querystring: Type.Object({ after: PositionCursor }),
    success: { 200: listOf(PresentedProject, Type.String()) },
  })
  app.get(url, listing, async (request) => {
    const { id: accountId } = await accountOf(request)
    const { after } = request.query
    // A page would begin anew, but a program might never end.
    if (after !== undefined && !readPosition(after, dayIn)) throw new Invalid({ after: [text('is invalid')] })
    const { page, next } = await projectsOf(db, accountId, { after })
    return { data: page.map(({ project }) => present(project)), next }
  })

  const reading = operation('getProject', 'A project', { params: ItemParams, success: { 200: PresentedProject } })
  app.get(item, reading, async (request) => {
    const { id: accountId } = await accountOf(request)
    return present(await projectOf(db, accountId, Number(request.params.id)))
  })

  const creating = operation('createProject', 'Create a project', {
    params: SlugParams,
    body: ProjectFields,
    success: { 201: PresentedProject },
  })
  app.post(url, creating, async (request, reply) => {
    const { actor } = await accountOf(request, 'projects.write')
    const input = checkProject(request.body, 'en')
    await countChange(db, actor)
    return reply.code(201).send(present(await createProject(app, actor, input)))
  })

  const changing = operation('changeProject', 'Change a project. For managers, and who created it', {
    params: ItemParams,
    body: ProjectFields,
    success: { 200: PresentedProject },
  })
  app.put(item, changing, async (request) => {
    const { actor, role } = await accountOf(request)
    const id = Number(request.params.id)
    await projectToChange(db, actor.accountId, id, { userId: personOf(actor), role })
    const input = checkProject(request.body, 'en')
    await countChange(db, actor)
    return present(await updateProject(app, actor, id, input))
  })

  const deleting = operation('deleteProject', 'Delete a project. For managers, and who created it', {
    params: ItemParams,
    success: { 204: Type.Null() },
  })
  app.delete(item, deleting, async (request, reply) => {
    const { actor } = await accountOf(request)
    await countChange(db, actor)
    await deleteProject(app, actor, Number(request.params.id))
    return reply.code(204).send(null)
  })
}

const present = ({ id, name, client, rateAmount: amount, rateCurrency: currency, dueOn, createdAt }: Project) => ({
  ...{ id, name, client, rate: decimalMoney({ amount, currency }), currency },
  due_on: dueOn,
  created_at: createdAt.toISOString(),
})
