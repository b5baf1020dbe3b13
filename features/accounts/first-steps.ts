import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Account, accounts, invitations, memberships, type User, users } from '../../drizzle/schema.ts'
import type { List } from '../../plugins/composition.ts'
import type { Database } from '../../plugins/database/index.ts'
import { sessionTransaction } from '../../plugins/security/session-transaction.ts'
import type { Session } from '../auth/reauthentication/index.ts'
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

export function addFirstSteps(app: FastifyInstance) {
  app.firstSteps.add({ id: 'email', rank: 1, isToDo: sql`not person.verified` })
  app.firstSteps.add({ id: 'workspace', rank: 4, isToDo: sql`not ${isInAnothers}` })
}

const isInAnothers = sql`exists (
  select from ${memberships} member join ${accounts} account on account.id = member.account_id
  where member.user_id = person.id and account.personal_user_id is distinct from person.id)`

/**
 * What a new user has done and has yet to do, and the manager of a shared account in which nobody else was invited.
 * Empty once all is done, or the user does not want to see it.
 */
export async function firstStepsOf(
  app: FastifyInstance,
  user: Pick<User, 'id' | 'createdAt'>,
  account: Account,
  isManager: boolean,
) {
  const isNew = user.createdAt.getTime() > app.now().getTime() - newForMs
  const steps: Omit<UsersStep, 'rank'>[] = isNew
    ? [...app.firstSteps].toSorted((one, other) => one.rank - other.rank)
    : []
  if (isManager && !account.personal) steps.push({ id: 'invitation', isToDo: isAloneIn(account.id) })
  if (steps.length === 0) return []
  const { rows } = await app.db.execute<{ to_do: boolean[] }>(sql`
    select array[${sql.join(
      steps.map(({ isToDo }) => isToDo),
      sql`, `,
    )}] as to_do
    from ${users} person where person.id = ${user.id} and ${wants('first_steps')}`)
  const toDo = rows[0]?.to_do ?? []
  return toDo.includes(true) ? steps.map(({ id }, index) => ({ id, done: !toDo[index] })) : []
}

const isAloneIn = (accountId: number) => sql`(not exists (
  select from ${invitations} where ${invitations.accountId} = ${accountId}
) and not exists (
  select from ${memberships} where ${memberships.accountId} = ${accountId} and ${memberships.userId} <> person.id))`

/** Whether to ask the user for the name of their team: they are in nothing but their personal account. */
export async function asksForTeam(db: Database, userId: number) {
  const { rows } = await db.execute(sql`
    select from ${users} person where person.id = ${userId} and ${wants('team')} and not ${isInAnothers}`)
  return rows.length > 0
}

/** What a user need not see again, on any device. */
export const dismissible = ['first_steps', 'team'] as const
type Dismissible = (typeof dismissible)[number]

const wants = (name: Dismissible) => sql`not ${name} = any(person.dismissed)`

export function dismiss(db: Database, { userId, token }: Session, name: Dismissible) {
  const dismissed = sql`array_append(${users.dismissed}, ${name})`
  const changes = and(eq(users.id, userId), sql`not ${name} = any(${users.dismissed})`)
  return sessionTransaction(db, token, (tx) =>
    tx.update(users).set({ dismissed, updatedAt: users.updatedAt }).where(changes),
  )
}
