import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AddedFactor, SessionFactors, User } from '../../drizzle/schema.ts'
import { createList, type List } from '../../plugins/composition.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import type { Invalid } from '../../plugins/forms/index.ts'
import type { Text } from '../../plugins/languages/text.ts'
import type { Device } from './device.ts'
import type { MethodWords } from './methods.ts'
import type { Provable } from './props.ts'
import type { Session } from './reauthentication/index.ts'

// What comes after one factor: between a right password and the session, or later, in a session that began with one.

declare module 'fastify' {
  interface FastifyInstance {
    secondSteps: List<SecondStep>
    factorRules: List<FactorRule>
  }
}

/** What the form of the second step sends, which may be anything. */
export type Answer = { code?: string | null; response?: unknown; trust?: unknown }
export type Work<Result> = (tx: Tx, user: User, added: AddedFactor) => Promise<Result>

export type SecondStep = {
  /** What the page calls it. */
  id: keyof Provable
  /** How what it adds to a session is said. */
  words?: MethodWords['second']
  isSetUp(db: Database, userId: number): Promise<boolean>
  isAnsweredBy(answer: Answer): boolean
  /** Calls `work` in the transaction that consumes the answer. Undefined if it is wrong, which is logged. */
  prove<Result>(
    request: FastifyRequest,
    userId: number,
    answer: Answer,
    work: Work<Result>,
  ): Promise<Result | undefined>
  /** What a wrong answer is told. */
  refusal(): Invalid
  /** Whether every sign-in of this user with one factor asks for a second step. */
  isAskedOf?(user: User): boolean
  /** What a pending sign-in depends on besides the user: it is over once this changes. */
  stateOf?(db: Database | Tx, userId: number): Promise<unknown>
  endPending?(tx: Tx, userId: number): Promise<unknown>
  /** Something of this browser that makes the step needless, with the second factor that it stands for. */
  standIn?(tx: Tx, user: User, device: Device): Promise<StandIn | undefined>
  /** Remembers the browser of a right answer, if that asks for it. Returns the new id of its device. */
  remember?(
    request: FastifyRequest,
    tx: Tx,
    user: User,
    added: AddedFactor,
    answer: Answer,
  ): Promise<string | undefined>
  /** In the mail about a sign-in from a new browser: whether it takes this step there next time. */
  aboutBrowser?(isTrusted: boolean): Text
}

type StandIn = Required<Pick<SessionFactors, 'secondFactor' | 'twoFactorsSince'>>

/** What options demand of second factors. */
export type FactorRule = {
  /** Whether this session should prove another factor, although it began with two. */
  wantsAnother(session: Session): Promise<boolean>
  /** Before a factor is set up, in its transaction. */
  settingUp(tx: Tx, session: Session, setUpAt: Date): Promise<unknown>
}

export const defineSecondSteps = (app: FastifyInstance) =>
  app
    .decorate('secondSteps', createList<SecondStep>(app, 'secondSteps'))
    .decorate('factorRules', createList<FactorRule>(app, 'factorRules'))

/** Which steps the user can prove. */
export async function provableOf({ db, secondSteps }: FastifyInstance, userId: number) {
  const provable: Record<string, boolean> = {}
  for (const step of secondSteps) provable[step.id] = await step.isSetUp(db, userId)
  return provable as Provable
}

export const isSecondStepAskedOf = ({ secondSteps }: FastifyInstance, user: User) =>
  secondSteps.some(({ isAskedOf }) => isAskedOf?.(user))

export async function standInOf({ secondSteps }: FastifyInstance, tx: Tx, user: User, device: Device) {
  for (const step of secondSteps) {
    const standIn = await step.standIn?.(tx, user, device)
    if (standIn) return standIn
  }
  return undefined
}

export async function settingUpFactor({ factorRules }: FastifyInstance, tx: Tx, session: Session, setUpAt: Date) {
  for (const rule of factorRules) await rule.settingUp(tx, session, setUpAt)
}
