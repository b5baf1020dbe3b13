import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { spentStarts } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import type { Secrets } from './clients/client.ts'
import { readSealed, setSealed, tenMinutesMs } from './sealed-cookies.ts'

/** What someone set out for: to sign in, or to connect a provider in this session. */
export type SignInIntent = { invitation?: string | undefined; returnTo?: string | undefined; session?: string }
export type Start = SignInIntent & { provider: string; secret: string; expires: number }

const cookie = 'provider_starts'
const maxAtOnce = 4 // tabs
const maxReturnToChars = 400 // or four of them would not fit into a cookie

/** Remembers in this browser what its way to the provider is for. The state, the nonce and the verifier of PKCE. */
export function rememberStart(reply: FastifyReply, provider: string, intent: SignInIntent) {
  const returnTo = (intent.returnTo?.length ?? 0) > maxReturnToChars ? undefined : intent.returnTo
  const secret = randomBytes(32).toString('base64url')
  const start: Start = { ...intent, returnTo, provider, secret, expires: reply.server.now().getTime() + tenMinutesMs }
  setSealed(reply, cookie, [...startsIn(reply.request), start].slice(-maxAtOnce))
  return secretsOf(start)
}

/** The start with this state. It is not remembered from then on. */
export function takeStart(reply: FastifyReply, state: unknown) {
  const starts = startsIn(reply.request)
  const found = starts.find((start) => secretsOf(start).state === state)
  if (!found) return undefined
  const others = starts.filter((start) => start !== found)
  if (others.length > 0) setSealed(reply, cookie, others)
  else reply.clearHostCookie(cookie)
  return found
}

/** Returns false if the start was spent before, as by a copy of the cookie. */
export const spendStart = (db: Database, start: Start) => spend(db, secretsOf(start).state, start.expires)

export async function spend(db: Database | Tx, state: string, expires: number) {
  const values = { state, expiresAt: new Date(expires) }
  const spent = await db.insert(spentStarts).values(values).onConflictDoNothing().returning()
  return spent.length > 0
}

/** Derived from one secret, so that four of them fit into a cookie. */
export function secretsOf({ secret }: Pick<Start, 'secret'>): Secrets {
  const derive = (label: string) => createHmac('sha256', secret).update(label).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}

/** Names a session in the cookie without its token. */
export const markOf = (sessionToken: string) => createHash('sha256').update(sessionToken).digest('base64url')

function startsIn(request: FastifyRequest) {
  const starts = (readSealed(request, cookie) ?? []) as Start[]
  return starts.filter(({ expires }) => expires > request.server.now().getTime())
}
