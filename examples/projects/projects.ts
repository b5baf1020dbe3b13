import { and, asc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Role, users } from '../../drizzle/schema.ts'
import {
  type Actor,
  asAllowed,
  asMember,
  broadcastToMembers,
  may,
  personOf,
  recordAccountActivity,
} from '../../features/accounts/index.ts'
import { type Database, isUniqueViolation, type Tx } from '../../plugins/database/index.ts'
import { Denied, Invalid, Refused, withMessages } from '../../plugins/forms/index.ts'
import { nameMessages } from '../../plugins/forms/parameters.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { dayIn } from '../../plugins/languages/days.ts'
import { text } from '../../plugins/languages/index.ts'
import { maxNameLength, maxProjects } from './bounds.ts'
import { parseMoney } from './money.ts'
import { following, orderedPageOf, readPosition } from './positions.ts'
import type { ProjectBody } from './schemas.ts'
import { currencies, type Project, projects } from './tables.ts'

const pageSize = 50

type Input = Pick<Project, 'name' | 'client' | 'rateAmount' | 'rateCurrency' | 'dueOn'>
/** Without a user, a program with a token of the workspace, which has no projects of its own. */
type CurrentUser = { userId: number | undefined; role: Role }

/** Managers change all projects, others their own. */
export const mayChange = ({ userId, role }: CurrentUser, { creatorId }: Pick<Project, 'creatorId'>) =>
  may(role, 'projects.write') && (may(role, 'projects.manage') || creatorId === userId)

/** Reads the form in the language of the person who filled it in. Throws Invalid. */
export function checkProject(body: ProjectBody, language: string): Input {
  const { name, client } = { name: body.name ?? '', client: body.client ?? '' }
  const rateCurrency = currencyIn(body.currency)
  const rate = parseMoney(language, body.rate ?? '', rateCurrency ?? currencies[0])
  const dueOn = dayIn(body.due_on)
  const errors = withMessages({
    name: nameMessages(name, maxNameLength),
    client: nameMessages(client, maxNameLength),
    rate: messagesFor(body.rate, rate),
    currency: rateCurrency ? [] : [text('is not included in the list')],
    due_on: messagesFor(body.due_on, dueOn),
  })
  if (!rateCurrency || !rate || !dueOn || Object.keys(errors).length > 0) throw new Invalid(errors)
  return { name, client, rateAmount: rate.amount, rateCurrency, dueOn }
}

/** One of our currencies, or undefined. */
export const currencyIn = (given: unknown) => currencies.find((currency) => currency === given)

function messagesFor(given: string | null | undefined, read: unknown) {
  if (!given?.trim()) return [text("can't be blank")]
  return read === undefined ? [text('is invalid')] : []
}

type Wanted = { after?: string | undefined; currency?: Project['rateCurrency'] | undefined; size?: number }

/** The projects of an account by due day, after a position, with the names of those who created them. */
export async function projectsOf(db: Database, accountId: number, { after, currency, size = pageSize }: Wanted = {}) {
  const rows = await db
    .select({ project: projects, creatorName: users.name })
    .from(projects)
    .leftJoin(users, eq(users.id, projects.creatorId))
    .where(
      and(
        eq(projects.accountId, accountId),
        currency && eq(projects.rateCurrency, currency),
        following(projects.dueOn, projects.id, readPosition(after, dayIn)),
      ),
    )
    .orderBy(asc(projects.dueOn), asc(projects.id))
    .limit(size + 1)
  return orderedPageOf(rows, size, ({ project: { dueOn, id } }) => ({ value: dueOn, id }))
}

export const everyProjectOf = (db: Database, accountId: number) => projectsOf(db, accountId, { size: maxProjects })

/** Throws NotFound. */
export async function projectOf(db: Database | Tx, accountId: number, id: number) {
  const [project] = await db
    .select()
    .from(projects)
    .where(and(eq(projects.id, id), eq(projects.accountId, accountId)))
  if (!project) throw new NotFound()
  return project
}

/** Throws NotFound, or Denied if the current user may not change it. */
export async function projectToChange(db: Database | Tx, accountId: number, id: number, currentUser: CurrentUser) {
  const project = await projectOf(db, accountId, id)
  if (!mayChange(currentUser, project)) throw new Denied()
  return project
}

/** Throws NotFound, Denied, Refused if there are too many, or Invalid if the name is taken. */
export const createProject = (app: FastifyInstance, actor: Actor, input: Input) =>
  asAllowed(app, actor, 'projects.write', async (tx) => {
    const { accountId } = actor
    const creatorId = personOf(actor) ?? null
    if ((await tx.$count(projects, eq(projects.accountId, accountId))) >= maxProjects)
      throw new Refused(text('A workspace has at most {max} projects', { max: maxProjects }))
    const [project] = await tx
      .insert(projects)
      .values({ ...input, accountId, creatorId })
      .returning()
    if (!project) throw new Error('the project was not created')
    await announce(tx, actor, 'project_created', input.name)
    return project
  }).catch(rejectTakenName)

/** Throws NotFound, Denied, or Invalid if the name is taken. */
export const updateProject = (app: FastifyInstance, actor: Actor, id: number, input: Input) =>
  asMember(app, actor, async (tx, role) => {
    const project = await projectToChange(tx, actor.accountId, id, { userId: personOf(actor), role })
    await tx.update(projects).set(input).where(eq(projects.id, id))
    await announce(tx, actor, 'project_changed', input.name)
    return { ...project, ...input }
  }).catch(rejectTakenName)

/** Two requests at once would both pass a check, so the constraint decides. */
function rejectTakenName(error: unknown): never {
  throw isUniqueViolation(error) ? new Invalid({ name: [text('has already been taken')] }) : error
}

/** Throws NotFound or Denied. */
export const deleteProject = (app: FastifyInstance, actor: Actor, id: number) =>
  asMember(app, actor, async (tx, role) => {
    const { name } = await projectToChange(tx, actor.accountId, id, { userId: personOf(actor), role })
    await tx.delete(projects).where(eq(projects.id, id))
    await announce(tx, actor, 'project_deleted', name)
  })

type Change = 'project_created' | 'project_changed' | 'project_deleted'

/** In the activity of the workspace, and in all tabs that show the list. */
async function announce(tx: Tx, actor: Actor, type: Change, name: string) {
  await recordAccountActivity(tx, actor, type, { project_name: name })
  await broadcastToMembers(tx, actor.accountId, 'projects')
}
