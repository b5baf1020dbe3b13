import type { FastifyInstance, FastifyReply } from 'fastify'
import type { SessionFactors, User } from '../../drizzle/schema.ts'
import { createList, type List } from '../../plugins/composition.ts'
import type { Tx } from '../../plugins/database/index.ts'
import type { Text } from '../../plugins/languages/index.ts'
import { deviceFingerprint } from './device.ts'
import { type FirstWords, passwordWords } from './methods.ts'
import type { Provider } from './props.ts'

declare module 'fastify' {
  interface FastifyInstance {
    firstFactors: List<FirstFactor>
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

export const defineFirstFactors = (app: FastifyInstance) => {
  app.decorate('firstFactors', createList<FirstFactor>(app, 'firstFactors'))
  app.firstFactors.add(byPassword)
  app.decorate('providers', createList<Provider>(app, 'providers'))
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
