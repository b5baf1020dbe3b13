import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Account, accounts, type Role, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Denied, Invalid } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { type Credential, sessionTransaction } from '../../plugins/security/session-transaction.ts'
import {
  account,
  asks,
  hasSecondFactor,
  member,
  proofOfSession,
  proofOfToken,
  type Requirement,
  unmetRequirement,
} from './requirements.ts'
import { may, type Right } from './rights.ts'

/** The user who acts, the account, and the session or API token. Nothing is done unless that still exists. */
export type Actor = { userId: number; accountId: number; credential: Credential }

/** Whether a program acts for the user. */
export const isApiClient = ({ credential }: Actor) => typeof credential !== 'string'

type Work<Result> = (tx: Tx, role: Role, account: Account) => Promise<Result>

type Options = {
  /** Another account that the work changes. Accounts are locked in the order of their ids. */
  other?: number | undefined
  /** The work locks the session itself, such as to delete it. */
  workLocksSession?: boolean
}

/** Locks the account, so that roles and requirements stay. Throws NotFound, RequirementUnmet or SignedOut. */
export const asMember = <Result>(
  app: FastifyInstance,
  actor: Actor,
  work: Work<Result>,
  { other, workLocksSession = false }: Options = {},
) =>
  sessionTransaction(
    app.db,
    actor.credential,
    async (tx) => {
      const ids = other === undefined ? [actor.accountId] : [actor.accountId, other]
      // A statement of its own, since everything else must be read after the wait for the lock.
      const locked = await tx
        .select()
        .from(accounts)
        .where(inArray(accounts.id, ids))
        .orderBy(asc(accounts.id))
        .for('no key update')
      const account = locked.find(({ id }) => id === actor.accountId)
      if (!account) throw new NotFound()
      return work(tx, await roleIn(app, tx, actor, account), account)
    },
    { workLocksSession },
  )

/** The same for whoever has the right. Throws Denied, too. */
export const asAllowed = <Result>(
  app: FastifyInstance,
  actor: Actor,
  right: Right,
  work: Work<Result>,
  options?: Options,
) =>
  asMember(
    app,
    actor,
    (tx, role, account) => {
      requireAllowed(role, right)
      return work(tx, role, account)
    },
    options,
  )

/** Throws Denied. */
export function requireAllowed(role: Role, right: Right) {
  if (!may(role, right)) throw new Denied()
}

/** Throws NotFound for others than members, or RequirementUnmet. */
export async function roleIn(app: FastifyInstance, db: Database | Tx, actor: Actor, row: Account) {
  const { userId, accountId, credential } = actor
  const now = sql`${app.now().toISOString()}::timestamptz`
  const isSession = typeof credential === 'string'
  const proof = isSession ? proofOfSession(sql`${credential}`, now) : proofOfToken(credential, now)
  // Few accounts ask for something, and of the others nothing more is read.
  const unmet = asks(app, row) ? unmetRequirement(app, proof) : sql<null>`null`
  const [found] = await db
    .select({ role: member.role, unmet })
    .from(account)
    .innerJoin(member, eq(member.accountId, account.id))
    .where(and(eq(account.id, accountId), eq(member.userId, userId)))
  if (!found) throw new NotFound()
  requireMet(app, found.unmet, row)
  return found.role
}

/** Throws RequirementUnmet. */
export function requireMet({ requirements }: FastifyInstance, unmet: string | null, account: Account) {
  const requirement = [...requirements].find(({ name }) => name === unmet)
  if (requirement) throw new RequirementUnmet(requirement, account)
}

/** The session or token does not do what the account requires. */
export class RequirementUnmet extends Error {
  readonly requirement: Requirement
  readonly account: Pick<Account, 'name' | 'slug'>

  constructor(requirement: Requirement, account: Account) {
    super('the account requires more of this session')
    this.requirement = requirement
    this.account = account
  }
}

/** Owners without a second factor would lock themselves out. Throws Invalid. */
export async function checkOwnFactor(app: FastifyInstance, db: Database | Tx, userId: number) {
  if ((await db.$count(users, and(eq(users.id, userId), hasSecondFactor(app, users.id)))) === 0)
    throw new Invalid({ require_second_factor: [text('needs a second factor of your own')] })
}
