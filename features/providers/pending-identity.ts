import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../../plugins/database/index.ts'
import type { ProviderProfile } from '../../plugins/openid/client.ts'
import { type Intent, tenMinutesMs } from '../../plugins/openid/round-trip.ts'
import { consumeOnce } from '../../plugins/security/once.ts'
import { sealedCookie } from '../../plugins/security/sealed-cookie.ts'

/** A random id that can be used once, and the time. */
export type SingleUse = { id: string; at: number }

/** A person of a provider without an account here, until they decide whether to sign up or to connect. */
export type PendingIdentity = ProviderProfile & SingleUse & Pick<Intent, 'invitation' | 'returnTo'>

const cookie = sealedCookie<PendingIdentity>('provider_arrival', tenMinutesMs)

export function setPendingIdentity(reply: FastifyReply, pending: Omit<PendingIdentity, keyof SingleUse>) {
  const id = randomBytes(16).toString('base64url')
  return cookie.set(reply, { ...pending, id, at: reply.server.now().getTime() })
}

/** The pending identity of this browser, from this provider if one is given. */
export function readPendingIdentity(request: FastifyRequest, provider?: string) {
  const pending = cookie.read(request)
  return provider === undefined || pending?.provider.id === provider ? pending : undefined
}

/** The pending identity, if the provider proved that it has this user's address. It can be connected in one step. */
export function pendingIdentityOf(request: FastifyRequest, user: { email: string; verified: boolean }) {
  const pending = readPendingIdentity(request)
  return pending?.proved && user.verified && pending.email === user.email ? pending : undefined
}

/** Returns false if someone signed up or connected with it before, as with a copy of the cookie. */
export const consumePending = (tx: Tx, { id, at }: SingleUse) =>
  consumeOnce(tx, { value: `arrival ${id}`, expiresAt: new Date(at + tenMinutesMs) })

export const clearPendingIdentity = cookie.clear
