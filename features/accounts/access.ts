import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Account, accounts, type Role } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Denied } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { lockSession, sessionTransaction } from '../../plugins/security/session-transaction.ts'
import { lockUserAndConsumeProof, type ReauthenticationProof, requireVerified } from '../auth/reauthentication/index.ts'
import {
  account,
  asks,
  member,
  type Proof,
  proofOfSession,
  type Requirement,
  unmetRequirement,
} from './requirements.ts'
import { may, type Right } from './rights.ts'

/** Who acts in the account, and the session or API token. Nothing is done unless that still exists. */
export type Actor = UserActor | TokenActor

/** A member, by a session, or by a program with a token of theirs. */
export type UserActor = { accountId: number; credential: string | { row: SQL; proof(now: SQL): Proof }; userId: number }

/** A program with a token of the account itself, which is no member. */
export type TokenActor = {
  accountId: number
  credential: { row: SQL }
  token: {
    id: number
    name: string
    /** Never that of an owner. */
    role: Role
    /** Whose budget of invitations it uses up. */
    sender: string
    /** What became of it, read anew under the lock of the account. */
    standing(db: Database | Tx): Promise<{ isBlocked: boolean; isOrphaned: boolean }>
  }
}

/**
 * The id of the user who acts. Undefined for a token of the account: whoever records a user decides what stands then.
 */
export const personOf = (actor: Actor) => ('userId' in actor ? actor.userId : undefined)

/** For what no program does. Throws Denied. */
export function requirePerson(actor: Actor) {
  const userId = personOf(actor)
  if (userId === undefined) throw new Denied()
  return userId
}

/**
 * For what lets people in or out: who made a token and is no manager any more must not come back, or take revenge, by a
 * token that they know. Throws Denied.
 */
export async function requireManagedToken(db: Database | Tx, actor: Actor) {
  if ('token' in actor && (await actor.token.standing(db)).isOrphaned) throw new Denied()
}

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

/**
 * As `asAllowed`, for rows that also end with whoever made them, which locks that user first: the account is locked,
 * then the user where a proof is consumed, then the session, and at last what `work` locks. Throws Invalid if the proof
 * is void by now, and Refused without a verified address.
 */
export const asReauthenticated = <Result>(
  app: FastifyInstance,
  actor: UserActor,
  right: Right,
  proof: ReauthenticationProof | undefined,
  work: (tx: Tx) => Promise<Result>,
) =>
  asAllowed(
    app,
    actor,
    right,
    async (tx) => {
      if (proof) requireVerified(await lockUserAndConsumeProof(tx, actor.userId, proof))
      await lockSession(tx, actor.credential)
      return work(tx)
    },
    { workLocksSession: true },
  )

/** Throws Denied. */
export function requireAllowed(role: Role, right: Right) {
  if (!may(role, right)) throw new Denied()
}

/**
 * Throws NotFound for others than members and tokens of the account, RequirementUnmet, or Denied for a blocked token.
 */
export async function roleIn(app: FastifyInstance, db: Database | Tx, actor: Actor, row: Account) {
  if ('token' in actor) return roleOfToken(db, actor)
  const { userId, accountId, credential } = actor
  const now = sql`${app.now().toISOString()}::timestamptz`
  const proof = typeof credential === 'string' ? proofOfSession(sql`${credential}`, now) : credential.proof(now)
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

async function roleOfToken(db: Database | Tx, { token }: TokenActor) {
  if ((await token.standing(db)).isBlocked) throw new Denied()
  return token.role
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
