import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import {
  AccountParams,
  accountProps,
  accountRoute,
  actorOf,
  changeBudget,
  formAt,
  ItemParams,
  itemFormAt,
  memberOf,
  requireRight,
} from '../../features/accounts/index.ts'
import { idPattern } from '../../plugins/forms/parameters.ts'
import { type Columns, csvOf, sendCsv } from '../../plugins/http/files.ts'
import { text } from '../../plugins/languages/index.ts'
import { paged } from '../../plugins/lists.ts'
import { fileBudget } from './limits.ts'
import { decimalMoney } from './money.ts'
import { projectPaths } from './paths.ts'
import {
  checkProject,
  createProject,
  currencyIn,
  deleteProject,
  everyProjectOf,
  mayChange,
  projectsOf,
  projectToChange,
  updateProject,
} from './projects.ts'
import { presentProject } from './props.ts'
import { ProjectBody, ProjectsQuery } from './schemas.ts'
import { currencies, type Project } from './tables.ts'

export const routes: FastifyPluginAsyncTypebox = async (app) => {
  const url = `${accountRoute}/projects`
  const item = `${url}/${idPattern}`
  const params = { params: AccountParams }

  app.get(url, { schema: { ...params, querystring: ProjectsQuery } }, async (request, reply) => {
    const currentUser = currentUserOf(request)
    const { after } = request.query
    const currency = currencyIn(request.query.currency)
    const { page, next } = await projectsOf(app.db, memberOf(request).account.id, { after, currency })
    const present = ({ project, creatorName }: (typeof page)[number]) =>
      presentProject(project, { creatorName, canChange: mayChange(currentUser, project) })
    return reply.page('projects/index', {
      ...accountProps(request),
      projects: paged('after', after, () => ({ page: page.map(present), next })),
      currencies,
      currency: currency ?? null,
    })
  })

  app.addProps('accounts/show', (request) => ({
    next_projects: async () => {
      const { page } = await projectsOf(app.db, memberOf(request).account.id, { size: 5 })
      return page.map(({ project, creatorName }) => presentProject(project, { creatorName, canChange: false }))
    },
  }))

  app.get(`${url}.csv`, { schema: params, config: { rateLimit: fileBudget } }, async (request, reply) => {
    const { account } = memberOf(request)
    const { page } = await everyProjectOf(app.db, account.id)
    const file = csvOf(columns, [page.map(({ project }) => project)])
    return sendCsv(reply, `${account.slug}-projects.csv`, file)
  })

  app.get(`${url}/new`, { schema: params, onRequest: requireRight('projects.write') }, (request, reply) =>
    reply.page('projects/new', { ...accountProps(request), currencies }),
  )

  const creation = { form: formAt(projectPaths.newProject), precognition: true, rateLimit: changeBudget } as const
  const creating = {
    schema: { ...params, body: ProjectBody },
    onRequest: requireRight('projects.write'),
    config: creation,
  }
  app.post(url, creating, async (request, reply) => {
    const input = checkProject(request.body, request.language.tag)
    if (request.precognitive) return reply.valid()

    await createProject(app, actorOf(request), input)
    return reply.notice(text('Project created')).redirect(projectPaths.projects(request.params.slug).url)
  })

  const requestedProject = (request: FastifyRequest<{ Params: { id: string } }>) =>
    projectToChange(app.db, memberOf(request).account.id, Number(request.params.id), currentUserOf(request))

  app.get(`${item}/edit`, { schema: { params: ItemParams } }, async (request, reply) => {
    const project = await requestedProject(request)
    return reply.page('projects/edit', {
      ...accountProps(request),
      currencies,
      project: presentProject(project, { creatorName: null, canChange: true }),
    })
  })

  const change = { form: itemFormAt(projectPaths.editProject), precognition: true, rateLimit: changeBudget } as const
  app.patch(item, { schema: { params: ItemParams, body: ProjectBody }, config: change }, async (request, reply) => {
    await requestedProject(request) // whoever may not change it learns nothing about the form, either
    const input = checkProject(request.body, request.language.tag)
    if (request.precognitive) return reply.valid()

    await updateProject(app, actorOf(request), Number(request.params.id), input)
    return reply.notice(text('Project saved')).redirect(projectPaths.projects(request.params.slug).url)
  })

  const deletion = { form: formAt(projectPaths.projects), rateLimit: changeBudget }
  app.delete(item, { schema: { params: ItemParams }, config: deletion }, async (request, reply) => {
    await deleteProject(app, actorOf(request), Number(request.params.id))
    return reply.notice(text('Project deleted')).redirect(projectPaths.projects(request.params.slug).url)
  })
}

const currentUserOf = (request: FastifyRequest) => ({ userId: request.signedIn.user.id, role: memberOf(request).role })

const columns: Columns<Project> = {
  name: ({ name }) => name,
  client: ({ client }) => client,
  hourly_rate: ({ rateAmount: amount, rateCurrency: currency }) => decimalMoney({ amount, currency }),
  currency: ({ rateCurrency }) => rateCurrency,
  due_on: ({ dueOn }) => dueOn,
}
