import { createHmac, hash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../../plugins/database/index.ts'
import type { ProviderProfile, Secrets } from '../../plugins/openid/client.ts'
import { InvalidResponse } from '../../plugins/openid/failures.ts'
import { consumeOnce } from '../../plugins/security/once.ts'
import { sealedCookie } from '../../plugins/security/sealed-cookie.ts'

// What this browser keeps on its way to a provider and back: sealed cookies of ten minutes.

/** Why someone went to a provider: to sign in, or to connect it in this session. */
export type Intent = { invitation?: string | undefined; returnTo?: string | undefined; session?: string }
type State = Intent & { provider: string; secret: string; expires: number }

/** A random id that can be used once, and the time. */
export type Arrival = { id: string; at: number }

/** A person of a provider without an account here, until they decide whether to sign up or to connect. */
export type PendingIdentity = ProviderProfile & Arrival & Pick<Intent, 'invitation' | 'returnTo'>

const tenMinutesMs = 600_000
const states = sealedCookie<State[]>('provider_starts', tenMinutesMs)
const arrival = sealedCookie<PendingIdentity>('provider_arrival', tenMinutesMs)
const maxAtOnce = 4 // tabs
const maxReturnToChars = 400 // or four of them would not fit into a cookie

/** Saves what the way to the provider is for. Returns the state, the nonce and the verifier of PKCE. */
export function saveState(reply: FastifyReply, provider: string, intent: Intent) {
  const returnTo = (intent.returnTo?.length ?? 0) > maxReturnToChars ? undefined : intent.returnTo
  const secret = randomBytes(32).toString('base64url')
  const state: State = { ...intent, returnTo, provider, secret, expires: reply.server.now().getTime() + tenMinutesMs }
  states.set(reply, [...statesIn(reply.request), state].slice(-maxAtOnce))
  return secretsOf(state)
}

/** What was saved for the state in a URL, which is removed from the cookie. */
export function readState(reply: FastifyReply, stateParameter: unknown) {
  const saved = statesIn(reply.request)
  const match = saved.find((state) => secretsOf(state).state === stateParameter)
  if (!match) return undefined
  const others = saved.filter((state) => state !== match)
  if (others.length > 0) states.set(reply, others)
  else states.clear(reply)
  return match
}

const statesIn = (request: FastifyRequest) =>
  (states.read(request) ?? []).filter(({ expires }) => expires > request.server.now().getTime())

/** Spends a start of this provider, in the session that began it. Throws InvalidResponse. */
export async function spendState({ auth, server }: FastifyRequest, state: State | undefined, provider: string) {
  if (!state) throw new InvalidResponse('state_unknown')
  const value = { value: secretsOf(state).state, expiresAt: new Date(state.expires) }
  if (!(await consumeOnce(server.db, value))) throw new InvalidResponse('state_spent') // with a copy of the cookie
  if (state.provider !== provider) throw new InvalidResponse('state_of_another_provider')
  const isOurs = !state.session || state.session === (auth && markOf(auth.session.token))
  if (!isOurs) throw new InvalidResponse('state_of_another_session')
  return state
}

/** Derived from one secret, so that four of them fit into a cookie. */
export function secretsOf({ secret }: Pick<State, 'secret'>): Secrets {
  const derive = (label: string) => createHmac('sha256', secret).update(label).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}

/** Identifies a session in the cookie without its token. */
export const markOf = (sessionToken: string) => hash('sha256', sessionToken, 'base64url')

export function setPendingIdentity(reply: FastifyReply, pending: Omit<PendingIdentity, keyof Arrival>) {
  const id = randomBytes(16).toString('base64url')
  return arrival.set(reply, { ...pending, id, at: reply.server.now().getTime() })
}

/** The pending identity of this browser, from this provider if one is given. */
export function readPendingIdentity(request: FastifyRequest, provider?: string) {
  const pending = arrival.read(request)
  return provider === undefined || pending?.provider.id === provider ? pending : undefined
}

/** The pending identity, if the provider proved that it has this user's address. It can be connected in one step. */
export function pendingIdentityOf(request: FastifyRequest, user: { email: string; verified: boolean }) {
  const pending = readPendingIdentity(request)
  return pending?.proved && user.verified && pending.email === user.email ? pending : undefined
}

/** Returns false if someone signed up or connected with it before, as with a copy of the cookie. */
export const consumeArrival = (tx: Tx, { id, at }: Arrival) =>
  consumeOnce(tx, { value: `arrival ${id}`, expiresAt: new Date(at + tenMinutesMs) })

export const clearPendingIdentity = arrival.clear
