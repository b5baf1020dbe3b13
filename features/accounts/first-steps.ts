import { type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Account, accounts, invitations, memberships, type User, users } from '../../drizzle/schema.ts'
import { createList, type List } from '../../plugins/composition.ts'
import type { FirstStep } from './props.ts'

// What is still to do for who is new, on the overview of an account. Options add to it.

declare module 'fastify' {
  interface FastifyInstance {
    firstSteps: List<UsersStep>
  }
}

/** Of new users, in the order of their ranks. `isToDo` is asked of the user `person`. */
type UsersStep = { id: FirstStep; rank: number; isToDo: SQL }

const newForMs = 30 * 86_400_000

export function defineFirstSteps(app: FastifyInstance) {
  app.decorate('firstSteps', createList<UsersStep>(app, 'firstSteps'))
  app.firstSteps.add({ id: 'email', rank: 1, isToDo: sql`not person.verified` })
  const isInAnothers = sql`exists (
    select from ${memberships} member join ${accounts} account on account.id = member.account_id
    where member.user_id = person.id and account.personal_user_id is distinct from person.id)`
  app.firstSteps.add({ id: 'workspace', rank: 4, isToDo: sql`not ${isInAnothers}` })
}

type NewUser = Pick<User, 'id' | 'createdAt'>

/** What a new user has yet to do, and the manager of a shared account in which nobody else was invited. */
export async function firstStepsOf(app: FastifyInstance, user: NewUser, account: Account, isManager: boolean) {
  const isNew = user.createdAt.getTime() > app.now().getTime() - newForMs
  const steps = isNew ? [...app.firstSteps].toSorted((one, other) => one.rank - other.rank) : []
  const cases = steps.map(({ id, isToDo }) => sql`case when ${isToDo} then ${id}::text end`)
  if (isManager && !account.personal) cases.push(sql`case when ${isAloneIn(account.id)} then 'invitation' end`)
  if (cases.length === 0) return []
  const { rows } = await app.db.execute<{ steps: FirstStep[] }>(sql`
    select array_remove(array[${sql.join(cases, sql`, `)}], null) as steps
    from ${users} person where person.id = ${user.id}`)
  return rows[0]?.steps ?? []
}

const isAloneIn = (accountId: number) => sql`not exists (
  select from ${invitations} where ${invitations.accountId} = ${accountId}
) and not exists (
  select from ${memberships} where ${memberships.accountId} = ${accountId} and ${memberships.userId} <> person.id)`
