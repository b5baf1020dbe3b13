import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { sealedCookie } from '../../plugins/security/sealed-cookie.ts'
import { lifetimesMs } from '../../plugins/security/tokens.ts'
import type { SignInContext } from '../forms.ts'
import { paths } from '../paths.ts'
import { type FirstFactor, isSecondStepAskedOf } from './factors.ts'

// The state between a right first factor and a right second step. It only identifies who may take that. No guard, page
// or stream accepts it.

/** A first factor that was right. */
export type PassedFactor<Proof = unknown> = { user: User; factor: FirstFactor<Proof>; proof: Proof }

type Pending = { token: string; factor: string; proof: unknown; context: SignInContext }

// Where it leads outlives the token, so that somebody who comes late gets there, too.
const anHourMs = 3_600_000
const cookie = sealedCookie<Pending>('pending_sign_in', anHourMs, lifetimesMs.pending_sign_in)

/**
 * It expires after ten minutes, when the address, the password or a sign-in method changes, or when a code has led to a
 * sign-in.
 */
export async function askForSecondStep(
  reply: FastifyReply,
  { user, factor, proof }: PassedFactor,
  context: SignInContext,
) {
  const app = reply.server
  const state = await stateOf(app, app.db, user)
  const token = app.tokens.mint({ purpose: 'pending_sign_in', userId: user.id, state })
  return cookie.set(reply, { token, factor: factor.id, proof, context }).redirect(paths.secondFactor().url)
}

export async function endPendingSignIns({ secondSteps }: FastifyInstance, tx: Tx, userId: number) {
  for (const step of secondSteps) await step.endPending?.(tx, userId)
}

export const clearPendingSignIn = cookie.clear

/** Whether the sign-in of this request is still pending for the user, as they are now. */
export async function isPending(request: FastifyRequest, db: Database | Tx, user: User) {
  const { server: app } = request
  const token = app.tokens.read('pending_sign_in', cookie.read(request)?.token ?? '')
  return token?.userId === user.id && isSecondStepAskedOf(app, user) && token.isFor(await stateOf(app, db, user))
}

/** Undefined also if nobody knows its factor any more. */
export async function pendingSignInOf(request: FastifyRequest): Promise<PassedFactor | undefined> {
  const { server: app } = request
  const { token = '', factor: id, proof } = cookie.read(request) ?? {}
  const factor = app.firstFactors.find((factor) => factor.id === id)
  const userId = app.tokens.read('pending_sign_in', token)?.userId
  if (!factor || userId === undefined) return undefined
  const [user] = await app.db.select().from(users).where(eq(users.id, userId))
  return user && (await isPending(request, app.db, user)) ? { user, factor, proof } : undefined
}

export const contextOfPending = (request: FastifyRequest): SignInContext => cookie.read(request)?.context ?? {}

async function stateOf(
  { secondSteps }: FastifyInstance,
  db: Database | Tx,
  { id, emailRevision, passwordDigest, secondFactorAt }: User,
) {
  const states: unknown[] = [emailRevision, passwordDigest, secondFactorAt?.getTime()]
  for (const step of secondSteps) states.push(await step.stateOf?.(db, id))
  return states.join(' ')
}
