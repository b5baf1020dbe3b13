import { eq, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import { type SecondFactor, secondFactors } from '../../drizzle/tables/second-factor.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { paths } from '../paths.ts'

// The state between a right password and a right code. It only identifies who may enter the code. No guard, page or
// stream accepts it.

/**
 * What must survive the second step. `method` is the first factor as a string (methods.ts), `identity` what a provider
 * says about the person now, `sso` the single sign-on that the session will have passed.
 */
export type SignInContext = {
  invitation?: string
  returnTo?: string | undefined
  method?: string
  identity?: { id: number; email: string | null; name: string | null }
  sso?: { identityId: number; connectionId: number }
}

const cookie = 'pending_sign_in'
const maxAgeSeconds = 600

/** It expires after ten minutes, when the password or a sign-in method changes, or when a code has led to a sign-in. */
export async function askForSecondFactor(reply: FastifyReply, user: User, context: SignInContext) {
  const { db, tokens } = reply.server
  const [factor] = await db.select().from(secondFactors).where(eq(secondFactors.userId, user.id))
  const token = tokens.mint({ purpose: 'pending_sign_in', userId: user.id, state: stateOf(user, factor) })
  const encoded = Buffer.from(JSON.stringify(context)).toString('base64url')
  const options = { maxAge: maxAgeSeconds }
  return reply.setSignedCookie(cookie, `${token}~${encoded}`, options).redirect(paths.secondFactor().url)
}

export const endPendingSignIns = (tx: Tx, userId: number) =>
  tx
    .update(secondFactors)
    .set({ uses: sql`${secondFactors.uses} + 1` })
    .where(eq(secondFactors.userId, userId))

export const clearPendingSignIn = (reply: FastifyReply) => reply.clearHostCookie(cookie)

/** Whether the sign-in of this request is still pending for the user, as they are now. */
export function isPending(request: FastifyRequest, user: User, factor: SecondFactor) {
  const token = tokenOf(request)
  return token?.userId === user.id && user.secondFactorAt !== null && token.isFor(stateOf(user, factor))
}

export async function pendingUserOf(request: FastifyRequest) {
  const token = tokenOf(request)
  if (!token) return undefined
  const [row] = await request.server.db
    .select()
    .from(users)
    .innerJoin(secondFactors, eq(secondFactors.userId, users.id))
    .where(eq(users.id, token.userId))
  return row && isPending(request, row.users, row.second_factors) ? row.users : undefined
}

export function contextOf(request: FastifyRequest): SignInContext {
  const [, encoded] = partsOf(request)
  return encoded ? JSON.parse(Buffer.from(encoded, 'base64url').toString()) : {}
}

const partsOf = (request: FastifyRequest) => request.signedCookie(cookie)?.split('~') ?? []
const tokenOf = (request: FastifyRequest) => request.server.tokens.read('pending_sign_in', partsOf(request)[0] ?? '')
const stateOf = ({ passwordDigest, secondFactorAt }: User, factor: SecondFactor | undefined) =>
  [passwordDigest, secondFactorAt?.getTime(), factor?.uses].join(' ')
