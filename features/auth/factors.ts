import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AddedFactor, SessionFactors, User } from '../../drizzle/schema.ts'
import type { List } from '../../plugins/composition.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import type { Invalid } from '../../plugins/forms/index.ts'
import type { Text } from '../../plugins/languages/text.ts'
import { type Device, deviceFingerprint } from './device.ts'
import { type FirstWords, type MethodWords, passwordWords } from './methods.ts'
import type { Provable, Provider } from './props.ts'
import type { Session } from './reauthentication/index.ts'

// With what people sign in: a first factor, and where that is one factor only, a second step. That follows at once, or
// later, in the session.

declare module 'fastify' {
  interface FastifyInstance {
    firstFactors: List<FirstFactor>
    secondSteps: List<SecondStep>
    factorRules: List<FactorRule>
    /** Of factors that there are several of, those of this site. */
    providers: List<Provider>
  }
}

/** With what somebody begins to sign in. `proof` is what was right of it. It is kept until the second step, as JSON. */
export type FirstFactor<Proof = unknown> = {
  /** What sessions call it. */
  id: string
  words: FirstWords
  /** In the mail about a sign-in that was not theirs: what to do. */
  advice?: Text
  /** Of the user's row: stronger where `consume` changes it, than what only keeps others from changing it. */
  lock?: 'share' | 'no key update' | 'update'
  /** Locks the accounts that `consume` changes, before the user is locked. */
  lockAccounts?(tx: Tx, userId: number, proof: Proof): Promise<number[]>
  /**
   * Uses up what works once, with the user locked. False if it was used up. Returns the user if it changed them. Throws
   * StaleRead.
   */
  consume?(tx: Tx, user: User, proof: Proof, accounts: number[]): Promise<User | boolean>
  /** Whether it is still good, with the user locked: when they sign in, and again after the second step. */
  holds(tx: Tx, user: User, proof: Proof): boolean | Promise<boolean>
  /** It is two factors by itself, so that no second step follows. Says since when. */
  twoFactorsSince?(proof: Proof): Date
  /** Which of several, such as a provider. */
  provider?(proof: Proof): string
  /** Called with the new session, in its transaction. */
  started?(tx: Tx, user: User, token: string, proof: Proof): Promise<unknown>
  /** Called once the session is there. Returns where the sign-in leads if it was to lead nowhere in particular. */
  afterSignIn?(reply: FastifyReply, user: User, proof: Proof): Promise<string | undefined>
}

/** `proof` is the user's fingerprint with the password that was right. */
export const byPassword: FirstFactor<string> = {
  id: 'password',
  words: passwordWords,
  holds: (_tx, user, fingerprint) => deviceFingerprint(user) === fingerprint,
}

/** How a session with this factor began. */
export const factorsOf = <Proof>(factor: FirstFactor<Proof>, proof: Proof): SessionFactors => ({
  firstFactor: factor.id,
  ...(factor.provider && { provider: factor.provider(proof) }),
  ...(factor.twoFactorsSince && { twoFactorsSince: factor.twoFactorsSince(proof) }),
})

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
