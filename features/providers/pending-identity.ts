import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../../plugins/database/index.ts'
import type { ProviderProfile } from './clients/client.ts'
import { readSealed, setSealed, tenMinutesMs } from './sealed-cookies.ts'
import { spend } from './starts.ts'

/** Random, to be spent once, and the time. */
export type Arrival = { id: string; at: number }

/** Someone whom a provider knows and we do not, between the way back from there and the decision of the person. */
export type PendingIdentity = ProviderProfile &
  Arrival & {
    provider: string
    invitation?: string | undefined
    returnTo?: string | undefined
  }

const cookie = 'provider_arrival'

export function setPendingIdentity(reply: FastifyReply, pending: Omit<PendingIdentity, keyof Arrival>) {
  const id = randomBytes(16).toString('base64url')
  return setSealed(reply, cookie, { ...pending, id, at: reply.server.now().getTime() } satisfies PendingIdentity)
}

/** Returns false if someone signed up or connected with it before, as with a copy of the cookie. */
export const spendArrival = (tx: Tx, { id, at }: Arrival) => spend(tx, `arrival ${id}`, at + tenMinutesMs)

/** Who arrived in this browser within ten minutes, from this provider if one is named. */
export function readPendingIdentity(request: FastifyRequest, provider?: string) {
  const pending = readSealed(request, cookie) as PendingIdentity | undefined
  const isFresh = pending !== undefined && pending.at + tenMinutesMs > request.server.now().getTime()
  return isFresh && (provider === undefined || pending.provider === provider) ? pending : undefined
}

/** Who arrived, if they proved to be the user of this address. It can be connected in one step. */
export function pendingIdentityOf(request: FastifyRequest, user: { email: string; verified: boolean }) {
  const pending = readPendingIdentity(request)
  return pending?.proved && user.verified && pending.email === user.email ? pending : undefined
}

export const clearPendingIdentity = (reply: FastifyReply) => reply.clearHostCookie(cookie)
